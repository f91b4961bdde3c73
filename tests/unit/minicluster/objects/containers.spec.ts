import { itBuilds } from "../../../support/manifests";

const drain = "bash, /etc/minicluster/config/drain.sh";

describe("a container", () => {
  itBuilds(String.raw`
# has the user's image, directory, ports, resources and pull policy, and the view has them, too
containers: [{image: i, workingDir: /w, pullAlways: true, resources: {limits: {cpu: "8"}}, ports: [80]}]
|flux: {container: {name: view, image: v, workingDir: /v, pullAlways: true, resources: {limits: {cpu: "7"}}}}
  container.demo.image: i
  container.demo.workingDir: /w
  container.demo.imagePullPolicy: Always
  container.demo.resources: {limits: {cpu: "8"}}
  container.demo.ports: [{containerPort: 80, protocol: TCP}]
  container.view.image: v
  container.view.workingDir: /v
  container.view.imagePullPolicy: Always
  container.view.resources: {limits: {cpu: "7"}}
containers: [{image: i, imagePullPolicy: Never}]
  container.demo.imagePullPolicy: Never
# drains its rank at the end
{}
  container.demo.lifecycle: {preStop: {exec: {command: [${drain}]}}}
# drains its rank before the user's own hook at the end
containers: [!broker {lifeCycle: {preStopExec: bye now}}]
  container.demo.lifecycle: {preStop: {exec: {command: [${drain}, bye, now]}}}
containers: [!broker {lifeCycle: {postStartExec: touch /ready, preStopExec: "$B"}}]
  container.demo.lifecycle: {postStart: {exec: {command: [touch, /ready]}}, preStop: {exec: {command: [${drain}, bash, -c, "$B"]}}}
# runs hooks as they are where nothing is drained, and in a sidecar
{drainTimeoutSeconds: 0, containers: [!broker {lifeCycle: {postStartExec: touch /ready, preStopExec: a && b}}, !side {lifeCycle: {preStopExec: a}}]}
  container.demo.lifecycle: {postStart: {exec: {command: [touch, /ready]}}, preStop: {exec: {command: [bash, -c, a && b]}}}
  container.side.lifecycle: {preStop: {exec: {command: [a]}}}
{drainTimeoutSeconds: 0, containers: [!broker {}, !side {}]}
  container.demo.lifecycle: !unset
  container.side.lifecycle: !unset
# that is a sidecar without our script starts as its command says
containers: [!broker {}, !side {command: serve --port 80, noWrapEntrypoint: true}]
  container.side.command: [serve, --port, "80"]
containers: [!broker {}, !side {command: exec serve $PORT, noWrapEntrypoint: true}]
  container.side.command: [bash, -c, exec serve $$PORT]
`);
});
