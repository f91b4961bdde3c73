"""Constants of Flux."""

FLUX_KVS_SYNC = 4
