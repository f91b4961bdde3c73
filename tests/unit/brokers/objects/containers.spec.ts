import { itBuilds } from "../../../support/manifests";
import { aBroker, aSidecar } from "../../../support/fixtures";

const drain = ["bash", "/etc/minicluster/config/drain.sh"];

describe("a container", () => {
  itBuilds(
    "has the image, directory, ports, resources and pull policy of the arguments",
    {
      containers: [
        { image: "i", workingDir: "/w", pullAlways: true, resources: { limits: { cpu: "8" } }, ports: [80] },
      ],
      flux: {
        container: {
          name: "view",
          image: "v",
          workingDir: "/v",
          pullAlways: true,
          resources: { limits: { cpu: "7" } },
        },
      },
    },
    {
      "container.demo.image": "i",
      "container.demo.workingDir": "/w",
      "container.demo.imagePullPolicy": "Always",
      "container.demo.resources": { limits: { cpu: "8" } },
      "container.demo.ports": [{ containerPort: 80, protocol: "TCP" }],
      "container.view.image": "v",
      "container.view.workingDir": "/v",
      "container.view.imagePullPolicy": "Always",
      "container.view.resources": { limits: { cpu: "7" } },
    },
  );
  itBuilds(
    "has the pull policy of the arguments",
    { containers: [{ image: "i", imagePullPolicy: "Never" }] },
    { "container.demo.imagePullPolicy": "Never" },
  );
  itBuilds(
    "drains its rank before it ends",
    {},
    { "container.demo.lifecycle": { preStop: { exec: { command: drain } } } },
  );
  itBuilds(
    "drains its rank before the preStop hook of the arguments",
    { containers: [aBroker({ lifeCycle: { postStartExec: "touch /ready", preStopExec: "$B" } })] },
    {
      "container.demo.lifecycle": {
        postStart: { exec: { command: ["touch", "/ready"] } },
        preStop: { exec: { command: [...drain, "bash", "-c", "$B"] } },
      },
    },
  );
  itBuilds(
    "runs hooks as they are if nothing is drained, and in a sidecar",
    {
      drainTimeoutSeconds: 0,
      containers: [
        aBroker({ lifeCycle: { postStartExec: "touch /ready", preStopExec: "a && b" } }),
        aSidecar({ lifeCycle: { preStopExec: "a" } }),
      ],
    },
    {
      "container.demo.lifecycle": {
        postStart: { exec: { command: ["touch", "/ready"] } },
        preStop: { exec: { command: ["bash", "-c", "a && b"] } },
      },
      "container.side.lifecycle": { preStop: { exec: { command: ["a"] } } },
    },
  );
  itBuilds(
    "has no hook if nothing is drained",
    { drainTimeoutSeconds: 0, containers: [aBroker(), aSidecar()] },
    { "container.demo.lifecycle": undefined, "container.side.lifecycle": undefined },
  );
  itBuilds(
    "that is a sidecar without a start script starts as its command says",
    { containers: [aBroker(), aSidecar({ command: "serve --port 80", noWrapEntrypoint: true })] },
    { "container.side.command": ["serve", "--port", "80"] },
  );
  itBuilds(
    "that is a sidecar with a variable in its command starts in bash",
    { containers: [aBroker(), aSidecar({ command: "exec serve $PORT", noWrapEntrypoint: true })] },
    { "container.side.command": ["bash", "-c", "exec serve $$PORT"] },
  );
});
