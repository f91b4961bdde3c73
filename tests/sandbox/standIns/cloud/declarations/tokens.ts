/**
 * Where an SDK has a resource or a function: `aws:eks/nodeGroup:NodeGroup` is `NodeGroup` of `eks/nodeGroup`, and
 * `aws:index/getRegion:getRegion` is `getRegion` at the root of the SDK.
 */
export function placeOf(token: string): { path: string; name: string } {
  const [, module = "", name = ""] = token.split(":");
  const path = module.includes("/") ? module : `${module}/${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return { path: path.replace(/^index\//, ""), name };
}
