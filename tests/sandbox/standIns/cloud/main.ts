import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../rpc/serve";
import { type CloudName, clouds } from "./clouds";
import type { Declarations } from "./declarations/shapes";
import { CloudBackend } from "./provider";

const name = process.env.MINICLUSTER_PLUGIN_NAME as CloudName;
const declarations = JSON.parse(readFileSync(join(__dirname, "declarations.json"), "utf8")) as Declarations;

serve(() => new CloudBackend(name, clouds[name], declarations));
