package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The jobs of an instance. Each queue is served in order (the policy "fcfs" of flux-config-sched-fluxion-qmanager(5)), and the jobs
// of a host share its cores.
type jobs struct {
	lead    *lead
	mutex   sync.Mutex
	changed *sync.Cond
	all     []*job
	drained map[string]drain // Hosts that take no jobs.
	started map[string]bool  // Named queues that run jobs: they are stopped when an instance starts.
	cores   int              // Of each host: all are on this machine.
}

type drain struct {
	reason string
	at     time.Time
}

type job struct {
	id     string
	asked  request
	state  string // "S" waits for hosts, "R" runs, and "CD" and "F" are over, as flux-jobs(1) has them.
	ranks  []int
	cores  int  // On each of its hosts.
	whole  bool // Its hosts run no other job.
	sent   time.Time
	begun  time.Time
	left   int
	status int
	output []reply
	waited bool
}

func newJobs(l *lead) *jobs {
	j := &jobs{lead: l, drained: map[string]drain{}, started: map[string]bool{}, cores: runtime.NumCPU()}
	j.changed = sync.NewCond(&j.mutex)
	return j
}

func (j *jobs) submit(asked request) reply {
	j.mutex.Lock()
	if parent := j.find(asked.Parent); parent == nil || !parent.asked.Batch {
		asked.Parent = ""
	}
	j.mutex.Unlock()
	if message := j.queueProblem(&asked); message != "" {
		return reply{Error: message}
	}
	j.mutex.Lock()
	cores := max(1, asked.Cores)
	whole := asked.Exclusive || (asked.Tasks == 0 && asked.Nodes > 0)
	// Without a number of tasks a job has whole hosts (flux-submit(1)).
	if asked.Tasks == 0 && asked.Nodes > 0 {
		asked.Tasks, cores = asked.Nodes, j.cores
	} else {
		asked.Tasks = max(1, asked.Tasks)
		fitting := max(1, j.cores/cores)
		if asked.Nodes == 0 {
			asked.Nodes = (asked.Tasks + fitting - 1) / fitting
		}
		cores *= (asked.Tasks + asked.Nodes - 1) / asked.Nodes
		if asked.Exclusive {
			cores = j.cores
		}
	}
	if possible := j.matching(asked, nil); len(possible) < asked.Nodes || cores > j.cores {
		j.mutex.Unlock()
		return reply{Error: fmt.Sprintf("unsatisfiable request: %d nodes of %d with %d of %d cores", asked.Nodes, len(possible), cores, j.cores)}
	}
	added := &job{id: fmt.Sprintf("ƒ%d", len(j.all)+1), asked: asked, cores: cores, whole: whole, state: "S", sent: time.Now()}
	j.all = append(j.all, added)
	j.mutex.Unlock()
	j.schedule()
	return reply{ID: added.id}
}

// Gives a job its queue, as the policy of the configuration does, and returns why it cannot be in it.
func (j *jobs) queueProblem(asked *request) string {
	if asked.Parent != "" {
		return ""
	}
	queues := j.lead.config.queues
	if asked.Queue == "" {
		asked.Queue = j.lead.config.defaultQueue
	}
	if len(queues) == 0 && asked.Queue != "" {
		return "job-ingest: queue specified but no queues are configured"
	}
	if len(queues) > 0 && asked.Queue == "" {
		return "job-ingest: no queue was specified, and there is no default queue"
	}
	if _, known := queues[asked.Queue]; len(queues) > 0 && !known {
		return fmt.Sprintf("job-ingest: invalid queue '%s' specified", asked.Queue)
	}
	return ""
}

// Starts or stops a queue, or all of them (flux-queue(1)).
func (j *jobs) setQueues(name string, all, start bool) reply {
	queues := j.lead.config.queues
	if _, known := queues[name]; name != "" && !known {
		return reply{Error: fmt.Sprintf("invalid queue '%s'", name)}
	}
	if name == "" && !all && len(queues) > 0 {
		return reply{Error: "named queues exist: use --all or --queue"}
	}
	j.mutex.Lock()
	for queue := range queues {
		if name == "" || name == queue {
			j.started[queue] = start
		}
	}
	j.mutex.Unlock()
	j.schedule()
	return reply{}
}

// Ranks that a job may have, of all or of those that are online.
func (j *jobs) matching(asked request, online map[int]bool) []int {
	var ranks []int
	if asked.Parent != "" {
		for _, rank := range j.find(asked.Parent).ranks {
			if online == nil || online[rank] {
				ranks = append(ranks, rank)
			}
		}
		return ranks
	}
	wanted := append([]string{}, j.lead.config.queues[asked.Queue].Requires...)
	if asked.Require != "" {
		wanted = append(wanted, asked.Require)
	}
	for rank, host := range j.lead.config.hosts {
		if j.lead.config.exclude[host] || !j.lead.config.hasAll(host, wanted) {
			continue
		}
		if online != nil && (!online[rank] || j.isDrained(host)) {
			continue
		}
		ranks = append(ranks, rank)
	}
	return ranks
}

// Whether a host has properties. Where a script describes the hosts, the names of cluster and group are in the name of a host.
func (c *config) hasAll(host string, wanted []string) bool {
	for _, property := range wanted {
		isNamed := host == property || strings.HasPrefix(host, property+"-") || strings.Contains(host, "-"+property+"-")
		if !isNamed && !c.properties[host][property] {
			return false
		}
	}
	return true
}

// Starts the jobs whose hosts are there and have room, in the order of each queue.
func (j *jobs) schedule() {
	online := j.lead.online()
	j.mutex.Lock()
	defer j.mutex.Unlock()
	blocked := map[string]bool{}
	for _, waiting := range j.all {
		queue := waiting.asked.Queue
		order := waiting.asked.Parent + " " + queue
		if waiting.state != "S" || blocked[order] || (queue != "" && !j.started[queue]) {
			continue
		}
		var ranks []int
		for _, rank := range j.matching(waiting.asked, online) {
			if j.used(rank, waiting.asked.Parent)+waiting.cores <= j.cores {
				ranks = append(ranks, rank)
			}
		}
		if len(ranks) >= waiting.asked.Nodes {
			j.start(waiting, ranks[:waiting.asked.Nodes])
		} else {
			blocked[order] = true
		}
	}
}

// Cores of a rank that the jobs of an instance have: of this one, or of a batch job.
func (j *jobs) used(rank int, parent string) int {
	used := 0
	for _, running := range j.all {
		if running.state != "R" || running.asked.Parent != parent {
			continue
		}
		for _, its := range running.ranks {
			if its == rank {
				used += running.cores
			}
		}
	}
	return used
}

func (j *jobs) start(started *job, ranks []int) {
	started.state, started.ranks, started.begun = "R", ranks, time.Now()
	asked := started.asked
	total, hosts := asked.Tasks, len(ranks)
	if asked.Batch {
		// The script runs once, on the first of the hosts.
		total, hosts = 1, 1
	}
	started.left = total
	work := *asked.Work
	work.Nodes, work.Total = len(ranks), total
	first := 0
	for index, rank := range ranks[:hosts] {
		count := total / hosts
		if index < total%hosts {
			count++
		}
		tasks := make([]int, count)
		for i := range tasks {
			tasks[i] = first + i
		}
		first += count
		m := message{Kind: "exec", Job: started.id, Tasks: tasks, Work: &work}
		go func() {
			if j.lead.sendTo(rank, m) != nil {
				j.lose(rank)
			}
		}()
	}
}

// Hears from a host about the tasks that it runs.
func (j *jobs) hear(m message) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	found := j.find(m.Job)
	if found == nil || found.state != "R" {
		return
	}
	switch m.Kind {
	case "output":
		found.write(m.Stream, m.Text)
	case "exit":
		found.left--
		found.status = max(found.status, m.Status)
		if found.left == 0 {
			found.end()
			// Its cores are free; this function holds the lock.
			go j.schedule()
		}
	}
	j.changed.Broadcast()
}

func (f *job) write(stream int, text []byte) {
	path := f.asked.Output
	if stream == 2 && f.asked.Error != "" {
		path = f.asked.Error
	}
	if path == "" || path == "kvs" {
		f.output = append(f.output, reply{Stream: stream, Text: text})
		return
	}
	file, err := os.OpenFile(strings.ReplaceAll(path, "{{id}}", f.id), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		f.output = append(f.output, reply{Stream: 2, Text: []byte(err.Error() + "\n")})
		return
	}
	defer file.Close()
	file.Write(text)
}

func (f *job) end() {
	f.state = "CD"
	if f.status != 0 {
		f.state = "F"
	}
}

func (j *jobs) find(id string) *job {
	for _, candidate := range j.all {
		if candidate.id == id {
			return candidate
		}
	}
	return nil
}

// Ends the jobs that had tasks on a host that is lost.
func (j *jobs) lose(rank int) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	for _, running := range j.all {
		if running.state != "R" {
			continue
		}
		for _, used := range running.ranks {
			if used == rank {
				text := fmt.Sprintf("0.0s: job.exception type=node-failure severity=0 lost contact with %s\n", j.lead.config.hosts[rank])
				j.abort(running, text)
			}
		}
	}
	j.changed.Broadcast()
}

func (j *jobs) abort(aborted *job, text string) {
	aborted.output = append(aborted.output, reply{Stream: 2, Text: []byte(text)})
	aborted.status = max(aborted.status, 1)
	ranks := aborted.ranks
	aborted.end()
	go j.schedule()
	for _, rank := range ranks {
		go j.lead.sendTo(rank, message{Kind: "kill", Job: aborted.id})
	}
}

func (j *jobs) cancel(id string) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	for _, candidate := range j.all {
		isOver := candidate.state == "CD" || candidate.state == "F"
		if (candidate.id == id || id == "--all") && !isOver {
			j.abort(candidate, "0.0s: job.exception type=cancel severity=0\n")
		}
	}
	j.changed.Broadcast()
}

func (j *jobs) cancelAll() { j.cancel("--all") }

// Streams the output of a job until it is over.
func (j *jobs) attach(id string, w *wire) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	found := j.find(id)
	if found == nil {
		w.send(reply{Error: "unknown job id " + id})
		return
	}
	for sent := 0; ; {
		for ; sent < len(found.output); sent++ {
			next := found.output[sent]
			j.mutex.Unlock()
			err := w.send(next)
			j.mutex.Lock()
			if err != nil {
				return
			}
		}
		if found.state == "CD" || found.state == "F" {
			found.waited = true
			w.send(reply{Done: true, Status: found.status})
			return
		}
		j.changed.Wait()
	}
}

// Waits for the jobs that were submitted to be waited for (flux-job(1), wait).
func (j *jobs) waitAll() reply {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	answer := reply{}
	for index := 0; index < len(j.all); index++ {
		waited := j.all[index]
		if !waited.asked.Waitable || waited.waited {
			continue
		}
		for waited.state == "S" || waited.state == "R" {
			j.changed.Wait()
		}
		waited.waited = true
		if waited.status != 0 {
			answer.Status = 1
			answer.Text = append(answer.Text, fmt.Sprintf("flux-job: %s: task(s) exited with exit code %d\n", waited.id, waited.status)...)
		}
	}
	return answer
}

func (j *jobs) table() []byte {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	text := fmt.Sprintf("%12s %-20s %2s %6s %6s\n", "JOBID", "NAME", "ST", "NTASKS", "NNODES")
	for _, shown := range j.all {
		name := "batch"
		if words := shown.asked.Work.Words; len(words) > 0 {
			name = words[0]
		}
		text += fmt.Sprintf("%12s %-20s %2s %6d %6d\n", shown.id, name, shown.state, shown.asked.Tasks, shown.asked.Nodes)
	}
	return []byte(text)
}

// Jobs that run on a rank, by their ids, or a table of all.
func (j *jobs) list(rank string) []byte {
	if rank == "" {
		return j.table()
	}
	j.mutex.Lock()
	defer j.mutex.Unlock()
	text := ""
	for _, running := range j.all {
		for _, used := range running.ranks {
			if running.state == "R" && strconv.Itoa(used) == rank {
				text += running.id + "\n"
			}
		}
	}
	return []byte(text)
}

// Keeps new jobs from some hosts, which are named or given by their ranks, or lets them come again (flux-resource(1)). A host that
// is drained keeps its reason with --update, and gets another one only with --force.
func (j *jobs) drain(targets string, away bool, reason, mode string) reply {
	j.mutex.Lock()
	var hosts, already []string
	for _, host := range expand(targets) {
		if rank, err := strconv.Atoi(host); err == nil && rank < len(j.lead.config.hosts) {
			host = j.lead.config.hosts[rank]
		}
		hosts = append(hosts, host)
		if j.isDrained(host) == away {
			already = append(already, host)
		}
	}
	if mode == "" && len(already) > 0 {
		j.mutex.Unlock()
		state := map[bool]string{true: "already drained", false: "not drained"}[away]
		return reply{Error: fmt.Sprintf("%s: %s. Use -u, --update or -f, --force", strings.Join(already, ","), state)}
	}
	for _, host := range hosts {
		before, is := j.drained[host]
		switch {
		case !away:
			delete(j.drained, host)
		case !is:
			j.drained[host] = drain{reason, time.Now()}
		case mode == "force" || before.reason == "":
			// The time stays with one --force.
			j.drained[host] = drain{reason, before.at}
		}
	}
	j.mutex.Unlock()
	j.schedule()
	return reply{}
}

func (j *jobs) isDrained(host string) bool {
	_, is := j.drained[host]
	return is
}

func (j *jobs) reasonOf(target string) []byte {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	rank, err := strconv.Atoi(target)
	if err != nil || !j.isDrained(j.lead.config.hosts[rank]) {
		return nil
	}
	return []byte(j.drained[j.lead.config.hosts[rank]].reason + "\n")
}
