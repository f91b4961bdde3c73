import { itJudges } from "../../../support/cases";

describe("the rules of a size that follows the queue", () => {
  itJudges(String.raw`
{interactive: true, autoscale: {min: 5, max: 4}}
  autoscale.min: min 5 is above max 4; lower min or raise max
{interactive: true, maxSize: 4, autoscale: {max: 5}}
  autoscale.max: max 5 is above maxSize 4; raise maxSize or lower max
{interactive: true, size: 2, minSize: 1, resize: manifest, autoscale: {max: 4}}
  size: is set by autoscale, between its min and max; remove one of them
  resize: the agent resizes the live Job, which a manifest would undo; use "patch" or remove autoscale
  minSize: is autoscale.min, which is the quorum; remove it
{autoscale: {max: 4}, containers: [{image: i, command: lmp}]}
  autoscale: the submitted command asks once for the hosts that are there when it starts; set launcher: true on its container, interactive: true, or size
{autoscale: {max: 4}, containers: [{image: i, command: lmp, batch: true}]}
  autoscale: the submitted command asks once for the hosts that are there when it starts; set launcher: true on its container, interactive: true, or size
{interactive: true, autoscale: {max: 4}, flux: {bursting: {clusters: [{name: other}]}}}
  autoscale: the operator's form of bursting does not tell whose hosts are whose; use bursting
{interactive: true, autoscale: {max: 4}, flux: {minimalService: true}}
  flux.minimalService: leads to the brokers' port alone, and autoscale asks another one; remove it
# a launcher, an image's own command, and a cluster that people give jobs
{autoscale: {max: 4}, containers: [{image: i, command: run.sh, launcher: true}]}
{autoscale: {max: 4}, containers: [{image: i}]}
# a cluster that others may join
{interactive: true, autoscale: {max: 4}, bursting: !bursting {}}
{interactive: true, maxSize: 8, podSecurity: restricted, network: {policy: pods}, autoscale: {min: 4, max: 4, maxStep: 1}}
`);
});
