/** Where an SDK has a resource or a function: `aws:eks/nodeGroup:NodeGroup` is `NodeGroup` of `eks/nodeGroup`. */
export function placeOf(token: string): { path: string; name: string } {
  const [, module = "", name = ""] = token.split(":");
  return { path: module.includes("/") ? module : `${module}/${name.charAt(0).toLowerCase()}${name.slice(1)}`, name };
}
