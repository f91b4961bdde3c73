package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The instance as the stand-in of Flux's Python bindings reads it (tests/support/fluxPython).
type instanceState struct {
	Hosts     []string       `json:"hosts"`
	Online    []int          `json:"online"`
	Drained   []drainState   `json:"drained"`
	Cores     int            `json:"cores"`
	GPUs      int            `json:"gpus"`
	Allocated map[string]int `json:"allocated"`
	Jobs      []jobState     `json:"jobs"`
	Config    struct{}       `json:"config"`
	Stats     struct{}       `json:"stats"`
}

type drainState struct {
	Rank   int    `json:"rank"`
	Reason string `json:"reason"`
	At     int64  `json:"at"`
}

type jobState struct {
	ID        string  `json:"id"`
	State     string  `json:"state"`
	Nodes     int     `json:"nnodes"`
	Tasks     int     `json:"ntasks"`
	Ranks     string  `json:"ranks"`
	Resources []level `json:"resources"`
	Duration  float64 `json:"duration"`
	Submitted float64 `json:"t_submit"`
	Begun     float64 `json:"t_run,omitempty"`
	R         any     `json:"R,omitempty"`
}

// A level of the resources of a jobspec (RFC 14 of Flux).
type level struct {
	Type      string  `json:"type"`
	Count     int     `json:"count"`
	Exclusive bool    `json:"exclusive,omitempty"`
	Label     string  `json:"label,omitempty"`
	With      []level `json:"with,omitempty"`
}

// Jobs that wait or run, and what becomes of the hosts.
func (j *jobs) state() []byte {
	online := j.lead.online()
	j.mutex.Lock()
	defer j.mutex.Unlock()
	seen := instanceState{Hosts: j.lead.config.hosts, Cores: j.cores, Allocated: map[string]int{}}
	seen.Online, seen.Drained, seen.Jobs = []int{}, []drainState{}, []jobState{}
	for rank, host := range j.lead.config.hosts {
		if online[rank] {
			seen.Online = append(seen.Online, rank)
		}
		if j.isDrained(host) {
			seen.Drained = append(seen.Drained, drainState{rank, j.drained[host].reason, j.drained[host].at.Unix()})
		}
	}
	for _, shown := range j.all {
		if shown.state != "S" && shown.state != "R" {
			continue
		}
		var ranks []string
		for _, rank := range shown.ranks {
			ranks = append(ranks, strconv.Itoa(rank))
			seen.Allocated[strconv.Itoa(rank)] = j.used(rank, "")
		}
		seen.Jobs = append(seen.Jobs, shown.describe(strings.Join(ranks, ",")))
	}
	text, err := json.Marshal(seen)
	if err != nil {
		return []byte(fmt.Sprintf("%q", err.Error()))
	}
	return text
}

func (f *job) describe(ranks string) jobState {
	asked := f.asked
	core := level{Type: "core", Count: max(1, asked.Cores)}
	slot := level{Type: "slot", Count: max(1, asked.Tasks/asked.Nodes), Label: "task", With: []level{core}}
	described := jobState{
		ID:        strings.Replace(f.id, "ƒ", "f", 1),
		State:     map[string]string{"S": "SCHED", "R": "RUN"}[f.state],
		Nodes:     asked.Nodes,
		Tasks:     asked.Tasks,
		Ranks:     ranks,
		Resources: []level{{Type: "node", Count: asked.Nodes, Exclusive: f.whole, With: []level{slot}}},
		Duration:  asked.Seconds,
		Submitted: epoch(f.sent),
	}
	if f.state == "R" {
		described.Begun = epoch(f.begun)
		described.R = f.resourceSet(ranks, described.Begun)
	}
	return described
}

// The resources of a running job (RFC 20 of Flux).
func (f *job) resourceSet(ranks string, begun float64) any {
	children := map[string]string{"core": fmt.Sprintf("0-%d", f.cores-1)}
	execution := map[string]any{
		"R_lite":     []any{map[string]any{"rank": ranks, "children": children}},
		"starttime":  begun,
		"expiration": begun + f.asked.Seconds,
	}
	return map[string]any{"version": 1, "execution": execution}
}

func epoch(at time.Time) float64 { return float64(at.UnixMilli()) / 1000 }
