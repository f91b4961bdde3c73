import { serve } from "../rpc/serve";
import { kubernetesBackend } from "./provider";

serve((log) => kubernetesBackend(process.env.MINICLUSTER_PLUGIN_VERSION ?? "0.0.0", log));
