"""A study of one application at two sizes."""

import pulumi
from pulumi_minicluster import Study

config = pulumi.Config()
study = Study(
    "demo",
    cluster={
        "namespace": config.require("namespace"),
        "containers": [{"image": config.require("image")}],
        "flux": {"container": {"image": config.require("view")}},
    },
    sizes=[1, 2],
    apps={
        "timed": {
            "command": config.get("command") or 'echo "took $((8 / size)) s"',
            "figure": {"pattern": "took ([0-9.]+) s", "unit": "s", "better": "lower"},
        }
    },
)

pulumi.export("table", study.table)
pulumi.export("nodeHours", study.node_hours)
