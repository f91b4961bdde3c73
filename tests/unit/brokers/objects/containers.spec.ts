import { itBuilds } from "../../../support/manifests";
import { aBroker, aSidecar } from "../../../support/fixtures";

const drain = ["bash", "/etc/minicluster/config/drain.sh"];

describe("a container", () => {
  itBuilds([
    {
      name: "has the image, directory, ports, resources and pull policy of the arguments",
      args: {
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
      want: {
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
    },
    {
      name: "has the pull policy of the arguments",
      args: { containers: [{ image: "i", imagePullPolicy: "Never" }] },
      want: { "container.demo.imagePullPolicy": "Never" },
    },
    {
      name: "drains its rank before it ends",
      args: {},
      want: { "container.demo.lifecycle": { preStop: { exec: { command: drain } } } },
    },
    {
      name: "drains its rank before the preStop hook of the arguments",
      args: {
        containers: [aBroker({ lifeCycle: { postStartExec: "touch /ready", preStopExec: "$B" } })],
      },
      want: {
        "container.demo.lifecycle": {
          postStart: { exec: { command: ["touch", "/ready"] } },
          preStop: { exec: { command: [...drain, "bash", "-c", "$B"] } },
        },
      },
    },
    {
      name: "runs hooks as they are if nothing is drained, and in a sidecar",
      args: {
        drainTimeoutSeconds: 0,
        containers: [
          aBroker({ lifeCycle: { postStartExec: "touch /ready", preStopExec: "a && b" } }),
          aSidecar({ lifeCycle: { preStopExec: "a" } }),
        ],
      },
      want: {
        "container.demo.lifecycle": {
          postStart: { exec: { command: ["touch", "/ready"] } },
          preStop: { exec: { command: ["bash", "-c", "a && b"] } },
        },
        "container.side.lifecycle": { preStop: { exec: { command: ["a"] } } },
      },
    },
    {
      name: "has no hook if nothing is drained",
      args: { drainTimeoutSeconds: 0, containers: [aBroker(), aSidecar()] },
      want: { "container.demo.lifecycle": undefined, "container.side.lifecycle": undefined },
    },
    {
      name: "that is a sidecar without a start script starts as its command says",
      args: {
        containers: [aBroker(), aSidecar({ command: "serve --port 80", noWrapEntrypoint: true })],
      },
      want: { "container.side.command": ["serve", "--port", "80"] },
    },
    {
      name: "that is a sidecar with a variable in its command starts in bash",
      args: {
        containers: [aBroker(), aSidecar({ command: "exec serve $PORT", noWrapEntrypoint: true })],
      },
      want: { "container.side.command": ["bash", "-c", "exec serve $$PORT"] },
    },
  ]);
});
