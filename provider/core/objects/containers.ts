import type * as pulumi from "@pulumi/pulumi";
import { withoutEmpty } from "../../shared/objects";
import { execWords } from "../../shared/quote";
import { hasStartScript } from "../flux/configFiles";

import { configMapName, sizeKey } from "../parse/names";
import { configFile, files, leadVariable } from "../parse/paths";
import { type ContainerSpec, drains, type MiniClusterSpec } from "../parse/spec";
import { buildEnvironment } from "./config";
import { withClaims } from "../pool/objects/deviceClaims";
import type { Container } from "./manifest";
import { brokerMounts, containerMounts, serviceMounts, viewMounts } from "./volumes";

/** The container that runs Flux. */
export function buildMainContainer(spec: MiniClusterSpec, leadEndpoint?: pulumi.Input<string>): Container {
  const { main } = spec;
  return {
    ...common(main),
    ...withClaims(spec),
    command: ["bash", configFile(files.broker)],
    env: [sizeVariable(spec), ...leadVariables(leadEndpoint), ...buildEnvironment(spec, main)],
    volumeMounts: brokerMounts(spec),
    startupProbe: startupProbe(),
    ...(drains(spec) && { lifecycle: drainingLifecycle(main) }),
  };
}

/** The hooks of the container that runs Flux. At its end, the host is drained before the user's hook runs. */
function drainingLifecycle({ lifeCycle: { postStartExec, preStopExec } }: ContainerSpec) {
  const drain = ["bash", configFile(files.drain), ...(preStopExec === undefined ? [] : execWords(preStopExec))];
  return withoutEmpty({ postStart: hook(postStartExec), preStop: { exec: { command: drain } } });
}

/**
 * A container beside the one that runs Flux, as a native sidecar: an init container that stays. It starts once the view exists,
 * and Kubernetes ends it when the main container has ended, so that it cannot keep a finished Job running.
 */
export function buildSidecar(spec: MiniClusterSpec, container: ContainerSpec): Container {
  return {
    ...common(container),
    ...withoutEmpty({ command: startCommand(container), env: buildEnvironment(spec, container) }),
    restartPolicy: "Always",
    volumeMounts: containerMounts(spec, container),
  };
}

/** A container of the services pod. It does not run Flux. */
export function buildServiceContainer(spec: MiniClusterSpec, container: ContainerSpec): Container {
  return withoutEmpty<Container>({
    ...common(container),
    command: startCommand(container),
    env: buildEnvironment(spec, container),
    volumeMounts: serviceMounts(container),
  });
}

/** The command of a container beside Flux: a start script, its own words, or the image's command. */
function startCommand(container: ContainerSpec): string[] {
  if (hasStartScript(container)) return ["bash", configFile(files.sidecar(container.name))];
  // Kubernetes itself expands $(NAME) and $$ in the command of a container.
  return execWords(container.command ?? "").map((word) => word.replaceAll("$", "$$$$"));
}

/** The init container that copies the Flux view to the shared volume. */
export function buildViewContainer(spec: MiniClusterSpec): Container {
  return withoutEmpty<Container>({
    ...imageOf(spec.flux.container),
    command: ["bash", configFile(files.view)],
    volumeMounts: viewMounts(spec),
  });
}

function common(container: ContainerSpec): Container {
  const { ports, lifeCycle } = container;
  return withoutEmpty<Container>({
    ...imageOf(container),
    ports: ports.map((containerPort) => ({ containerPort, protocol: "TCP" })),
    lifecycle: withoutEmpty({ postStart: hook(lifeCycle.postStartExec), preStop: hook(lifeCycle.preStopExec) }),
  });
}

/** Fields of every container, including the container of the view: the image, and how it runs. */
function imageOf(container: ContainerSpec | MiniClusterSpec["flux"]["container"]) {
  const { image, name, workingDir, resources, securityContext, imagePullPolicy } = container;
  return { image, name, workingDir, resources, securityContext, imagePullPolicy };
}

const hook = (command: string | undefined) =>
  command === undefined ? undefined : { exec: { command: execWords(command) } };

/** The present size, read when the container starts: the template stays the same through every resize. */
const sizeVariable = (spec: MiniClusterSpec) => ({
  name: "MINICLUSTER_SIZE",
  valueFrom: { configMapKeyRef: { name: configMapName(spec), key: sizeKey } },
});

/** Variable with the endpoint of the lead broker, if the endpoint is known only later. A change of it restarts the pods. */
const leadVariables = (endpoint: pulumi.Input<string> | undefined) =>
  endpoint === undefined ? [] : [{ name: leadVariable, value: endpoint }];

/**
 * Makes a pod Ready when its broker has joined the running instance. A startup probe stops when it has succeeded once, so
 * it never disturbs a job; it may fail for a day, because a broker waits for the slowest image pull of all nodes.
 */
const startupProbe = () => ({
  exec: { command: ["bash", configFile(files.ready)] },
  periodSeconds: 1,
  timeoutSeconds: 5,
  failureThreshold: 86_400,
});
