import { itBuilds } from "../../../support/manifests";
import { aBroker, aSidecar } from "../../../support/fixtures";

const drain = ["bash", "/etc/minicluster/config/drain.sh"];

describe("a container", () => {
  const resources = (cpu: string) => ({ limits: { cpu } });
  itBuilds(
    "has the image, directory, ports, resources and pull policy of the arguments",
    {
      containers: [{ image: "i", workingDir: "/w", imagePullPolicy: "Always", resources: resources("8"), ports: [80] }],
      flux: { container: { name: "view", image: "v", workingDir: "/v", pullAlways: true, resources: resources("7") } },
    },
    {
      "container.demo.image": "i",
      "container.demo.workingDir": "/w",
      "container.demo.imagePullPolicy": "Always",
      "container.demo.resources": resources("8"),
      "container.demo.ports": [{ containerPort: 80, protocol: "TCP" }],
      "container.view.image": "v",
      "container.view.workingDir": "/v",
      "container.view.imagePullPolicy": "Always",
      "container.view.resources": resources("7"),
    },
  );
  const hook = (...command: string[]) => ({ exec: { command } });
  const lifeCycle = { postStartExec: "touch /ready", preStopExec: "a && b" };
  const [own, postStart] = [["bash", "-c", "a && b"], hook("touch", "/ready")];
  itBuilds("drains its rank before it ends", {}, { "container.demo.lifecycle": { preStop: hook(...drain) } });
  itBuilds(
    "drains it before the preStop hook of the arguments",
    { containers: [aBroker({ lifeCycle })] },
    { "container.demo.lifecycle": { postStart, preStop: hook(...drain, ...own) } },
  );
  itBuilds(
    "runs hooks as they are if nothing is drained, and in a sidecar",
    {
      drainTimeoutSeconds: 0,
      containers: [aBroker({ lifeCycle }), aSidecar({ lifeCycle: { preStopExec: "a" } }), aSidecar({ name: "b" })],
    },
    {
      "container.demo.lifecycle": { postStart, preStop: hook(...own) },
      "container.side.lifecycle": { preStop: hook("a") },
      "container.b.lifecycle": undefined,
    },
  );
  const plain = (command: string) => ({ containers: [aBroker(), aSidecar({ command, noWrapEntrypoint: true })] });
  itBuilds("that is a sidecar without a start script starts as its command says", plain("serve --port 80"), {
    "container.side.command": ["serve", "--port", "80"],
  });
  itBuilds("that is a sidecar with a variable in its command starts in bash", plain("exec serve $PORT"), {
    "container.side.command": ["bash", "-c", "exec serve $$PORT"],
  });
});
