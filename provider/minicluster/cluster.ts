import { admissionRules } from "../core/diagnostics/admission";
import { builderOf } from "../core/register/feature";
import features from "./features";
import { ClusterParser } from "./parse";

/** The parser of the arguments of a MiniCluster. */
export const clusterParser = new ClusterParser(features);

/** The builder of the objects of the features of a MiniCluster. */
export const buildFeatures = builderOf(features);

/** The cluster of some arguments, or every problem with them and with its objects. */
export const checkCluster = (args: unknown) => clusterParser.check(args, admissionRules);
