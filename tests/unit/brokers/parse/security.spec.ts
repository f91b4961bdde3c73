import assert from "node:assert/strict";
import type { MiniClusterSecurityContextArgs } from "../../../../provider";
import { containerSecurityContext, settleEscalation } from "../../../../provider/brokers/parse/security";
import { errorsAt, validating } from "../../../support/problems";
import { withBroker } from "../../../support/fixtures";

const { rejectsAll } = validating();

describe("a security context", () => {
  rejectsAll(
    {
      flux: { container: { securityContext: { privileged: true, allowPrivilegeEscalation: false } } },
      ...withBroker({ securityContext: { capabilities: { add: ["SYS_ADMIN"] }, allowPrivilegeEscalation: false } }),
    },
    errorsAt(
      [
        "containers[0].securityContext.allowPrivilegeEscalation",
        "flux.container.securityContext.allowPrivilegeEscalation",
      ],
      "a privileged container, or one with SYS_ADMIN, may always escalate; leave this out or set it to true",
    ),
  );
  rejectsAll(
    {
      containers: [
        {
          image: "i",
          securityContext: {
            runAsUser: -1,
            seccompProfile: { type: "Localhost" },
            capabilities: { add: ["CAP_SYS_NICE"] },
          },
        },
      ],
      pod: {
        securityContext: {
          appArmorProfile: { type: "Unconfined", localhostProfile: "x" },
          supplementalGroups: [1, 2_147_483_648],
        },
      },
    },
    [
      "containers[0].securityContext.runAsUser: -1 must be an integer from 0 to 2147483647",
      'containers[0].securityContext.seccompProfile.localhostProfile: requires type "Localhost", which requires it; ' +
        "give both or neither",
      "containers[0].securityContext.capabilities.add[0]: capabilities are named without CAP_, as in SYS_ADMIN",
      'pod.securityContext.appArmorProfile.localhostProfile: requires type "Localhost", which requires it; give both ' +
        "or neither",
      "pod.securityContext.supplementalGroups[1]: 2147483648 must be an integer from 0 to 2147483647",
    ],
  );

  const escalations: [context: MiniClusterSecurityContextArgs, want: boolean][] = [
    [{}, false],
    [{ allowPrivilegeEscalation: true }, true],
    [{ privileged: true }, true],
    [{ capabilities: { add: ["SYS_ADMIN"] } }, true],
    [{ capabilities: { add: ["SYS_NICE"] } }, false],
  ];
  for (const [context, want] of escalations)
    it(`${want ? "lets" : "does not let"} processes gain privileges: ${JSON.stringify(context)}`, () =>
      assert.equal(settleEscalation(containerSecurityContext.parse(context)).allowPrivilegeEscalation, want));
});
