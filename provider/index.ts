export * from "./minicluster/args";
export { MiniCluster } from "./minicluster/miniCluster";
