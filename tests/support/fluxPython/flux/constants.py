"""Constants of Flux."""

FLUX_KVS_SYNC = 4
FLUX_POLLIN = 1
