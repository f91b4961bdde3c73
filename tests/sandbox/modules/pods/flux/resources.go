package main

import (
	"fmt"
	"strconv"
	"strings"
)

// As flux-resource(1) lists: hosts that can have jobs, that have some, and that are not there.
func (j *jobs) resourceTable() []byte {
	online := j.lead.online()
	j.mutex.Lock()
	defer j.mutex.Unlock()
	states := map[string][]string{}
	for rank, host := range j.lead.config.hosts {
		state := "free"
		if j.used(rank, "") > 0 {
			state = "allocated"
		}
		if !online[rank] || j.isDrained(host) {
			state = "down"
		}
		states[state] = append(states[state], host)
	}
	text := fmt.Sprintf("%10s %6s %6s %5s %s\n", "STATE", "NNODES", "NCORES", "NGPUS", "NODELIST")
	for _, state := range []string{"free", "allocated", "down"} {
		hosts := states[state]
		text += fmt.Sprintf("%10s %6d %6d %5d %s\n", state, len(hosts), len(hosts)*j.cores, 0, hostlist(hosts))
	}
	return []byte(text)
}

// Hosts with one stem: the first and the last number of each range.
type stemmed struct {
	stem   string
	ranges [][2]string
}

// Hosts as a hostlist (RFC 29 of Flux), such as lab-[0-2,5].
func hostlist(hosts []string) string {
	var all []*stemmed
	for index, host := range hosts {
		stem, number := numbered(host)
		if len(all) == 0 || all[len(all)-1].stem != stem {
			all = append(all, &stemmed{stem: stem})
		}
		last := all[len(all)-1]
		if count := len(last.ranges); count > 0 && isNext(hosts[index-1], host) {
			last.ranges[count-1][1] = number
		} else {
			last.ranges = append(last.ranges, [2]string{number, number})
		}
	}
	var lists []string
	for _, group := range all {
		var ranges []string
		for _, bounds := range group.ranges {
			if bounds[0] != bounds[1] {
				ranges = append(ranges, bounds[0]+"-"+bounds[1])
			} else {
				ranges = append(ranges, bounds[0])
			}
		}
		list := strings.Join(ranges, ",")
		if strings.ContainsAny(list, "-,") {
			list = "[" + list + "]"
		}
		lists = append(lists, group.stem+list)
	}
	return strings.Join(lists, ",")
}

// The name of a host without the number at its end, and the number.
func numbered(host string) (stem, number string) {
	stem = strings.TrimRight(host, "0123456789")
	return stem, host[len(stem):]
}

func isNext(before, host string) bool {
	_, low := numbered(before)
	_, high := numbered(host)
	first, _ := strconv.Atoi(low)
	second, err := strconv.Atoi(high)
	return err == nil && second == first+1
}
