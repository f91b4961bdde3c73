import { itJudges } from "../../../support/cases";

describe("a container", () => {
  itJudges(String.raw`
containers: []
  containers: a cluster needs at least one container; add one
containers: [{image: " ", name: Main, workingDir: work, imagePullSecret: a_b, ports: [80, 0], environment: {a=b: a}, secrets: {A: {name: s}}, resources: {requests: {cpu: four}}, volumes: {my_data: {emptyDir: true}}, logs: out}]
  containers[0].image: " " must be a string that is not empty
  containers[0].name: "Main" must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends
  containers[0].workingDir: "work" must be an absolute path such as "/data", without a colon
  containers[0].logs: "out" must be an absolute path such as "/data", without a colon
  containers[0].imagePullSecret: "a_b" must be the name of a Kubernetes object: a-z, 0-9, - and ., with a letter or digit at both ends
  containers[0].ports[1]: 0 must be an integer from 1 to 65535
  containers[0].environment["a=b"]: "a=b" must be the name of an environment variable: printable ASCII characters without "="
  containers[0].secrets.A.key: is required; must be a string that is not empty
  containers[0].resources.requests.cpu: "four" must be a Kubernetes quantity such as "4", "500m" or "8Gi", never "8GB"
  containers[0].volumes.my_data: "my_data" must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends
containers: [{image: i, command: "\0", lifeCycle: {postStartExec: " ", preStopExec: "a\0"}, commands: {init: "\0", pre: "\0", post: "\0", brokerPre: "\0", workerPre: "\0"}}]
  containers[0].command: must not hold a NUL character
  containers[0].lifeCycle.postStartExec: needs a command; leave it out for none
  containers[0].lifeCycle.preStopExec: must not hold a NUL character
  containers[0].commands.{init,pre,post,brokerPre,workerPre}: must not hold a NUL character
`);
});
