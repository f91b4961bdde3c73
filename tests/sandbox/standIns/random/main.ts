import { serve } from "../rpc/serve";
import { randomBackend } from "./provider";

serve(() => randomBackend(process.env.MINICLUSTER_PLUGIN_VERSION ?? "0.0.0"));
