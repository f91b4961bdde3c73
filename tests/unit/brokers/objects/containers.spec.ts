import { itBuilds } from "../../../support/manifests";

const drain = "bash, /etc/minicluster/config/drain.sh";

describe("a container", () => {
  itBuilds(String.raw`
# has the user's image, directory, ports, resources and pull policy, and the view has them, too
containers: [{image: i, workingDir: /w, pullAlways: true, resources: {limits: {cpu: "8"}}, ports: [80]}]
|flux: {container: {name: view, image: v, workingDir: /v, pullAlways: true, resources: {limits: {cpu: "7"}}}}
  container.demo: !has {image: i, workingDir: /w, imagePullPolicy: Always, resources: {limits: {cpu: "8"}}, ports: [{containerPort: 80, protocol: TCP}]}
  container.view: !has {image: v, workingDir: /v, imagePullPolicy: Always, resources: {limits: {cpu: "7"}}}
containers: [{image: i, imagePullPolicy: Never}]
  container.demo.imagePullPolicy: Never
# drains its rank at the end, before the user's own hook
{}
  container.demo.lifecycle: {preStop: {exec: {command: [${drain}]}}}
containers: [!broker {lifeCycle: {postStartExec: touch /ready, preStopExec: "$B"}}]
  container.demo.lifecycle: {postStart: {exec: {command: [touch, /ready]}}, preStop: {exec: {command: [${drain}, bash, -c, "$B"]}}}
# runs hooks as they are where nothing is drained, and in a sidecar
{drainTimeoutSeconds: 0, containers: [!broker {lifeCycle: {postStartExec: touch /ready, preStopExec: a && b}}, !side {lifeCycle: {preStopExec: a}}]}
  container.demo.lifecycle: {postStart: {exec: {command: [touch, /ready]}}, preStop: {exec: {command: [bash, -c, a && b]}}}
  container.side.lifecycle: {preStop: {exec: {command: [a]}}}
{drainTimeoutSeconds: 0, containers: [!broker {}, !side {}]}
  container.{demo,side}.lifecycle: !unset
# that is a sidecar without our script starts as its command says
containers: [!broker {}, !side {command: serve --port 80, noWrapEntrypoint: true}]
  container.side.command: [serve, --port, "80"]
containers: [!broker {}, !side {command: exec serve $PORT, noWrapEntrypoint: true}]
  container.side.command: [bash, -c, exec serve $$PORT]
`);
});
