"""Reads the demand of one instance after the other by the real program, beside a stand-in of Flux's bindings."""

import json
import sys

import flux
from core.programs import state

known, size, instances = json.load(sys.stdin)
clusters, first = [], 0
for name, hosts, most in known:
    clusters.append(state.Cluster(name, first, hosts, 2 if most is None else most))
    first += hosts
arrivals, parts = state.Arrivals(), []
for flux.INSTANCE in instances:
    reading = state.Reading(flux.Flux(), clusters, arrivals, state.Jobspecs())
    parts.append({cluster.name: reading.part(cluster, size) for cluster in clusters})
print(json.dumps(parts))
