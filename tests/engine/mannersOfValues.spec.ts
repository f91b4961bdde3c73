import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import type { BurstRoot } from "../../provider";
import { renderCurveCertificate } from "../../provider/core/parse/curveCertificate";
import { withStack } from "../support/clusters";
import type { OperationResult } from "../support/engine";
import { needlesOf } from "../support/needles";
import { ownPlugin } from "../support/plugin";
import { RemoteMiniCluster, smallArgs, ways } from "../support/remote";
import { sharedCluster } from "../support/sandboxHooks";

describe("A secret of a cluster", () => {
  const certificates = [11, 12].map((byte) => renderCurveCertificate("elsewhere", Buffer.alloc(32, byte)));
  const bursting = {
    clusters: [{ name: "cloud", size: 0, maxSize: 4 }],
    expose: { nodePort: { address: "203.0.113.7" } },
  };

  for (const { way, make } of ways)
    it(`stays one in the state, in all that is shown, and in what comes of it, when it was ${way}`, () =>
      withStack(
        async (stack, namespace) => {
          const [before = "", after = ""] = certificates;
          const program = (word: string, certificate: string) => () => {
            const image = pulumi.secret(`registry.example/${word}-image`);
            const environment = { PLAIN: "plain", TOKEN: pulumi.secret(`${word}-token`) };
            const containers = [{ image, command: "sleep 600", environment }];
            const services = [{ name: "web", image, environment }];
            const flux = { curveCert: pulumi.secret(certificate) };
            const jobLabels = { label: pulumi.secret(`${word}-label`) };
            const pod = { annotations: { annotation: pulumi.secret(`${word}-annotation`) } };
            const made = make("demo", smallArgs({ namespace, containers, services, flux, bursting, jobLabels, pod }));
            const { burst, jobName } = made as RemoteMiniCluster;
            return { burst, jobName };
          };
          const results: OperationResult[] = [];
          stack.program = program("horse", before);
          results.push(await stack.preview({ diff: true }), await stack.up({ diff: true }));
          stack.program = program("staple", after);
          results.push(await stack.preview({ diff: true }), await stack.up({ diff: true }));
          results.push(await stack.refresh({ diff: true }));

          const pods = await sharedCluster().kube.podsOfJob(namespace, "demo");
          assert.match(JSON.stringify(pods), /staple-image/);
          const texts = [...results.map((result) => JSON.stringify(result)), fs.readFileSync(stack.statePath, "utf8")];
          const needles = ["horse", "staple"].flatMap((word) =>
            ["image", "token", "label", "annotation"].map((what) => `${word}-${what}`),
          );
          for (const needle of [...needles, ...certificates.flatMap(needlesOf)])
            assert.deepEqual(
              texts.flatMap((text, index) => (text.includes(needle) ? [index] : [])),
              [],
              needle,
            );
          const outputs = await stack.outputs();
          assert.deepEqual([outputs["burst"]?.secret, outputs["jobName"]?.secret], [true, false]);
          assert.equal((outputs["burst"]?.value as BurstRoot).certificate, after);
        },
        { plugins: ownPlugin() },
      ));
});
