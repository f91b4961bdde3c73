package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// Connects to the broker that FLUX_URI names.
func connect() *wire {
	path := strings.TrimPrefix(os.Getenv("FLUX_URI"), "local://")
	if path == "" {
		fail("unable to connect to Flux: FLUX_URI is not set")
	}
	connection, err := net.Dial("unix", path)
	if err != nil {
		fail("unable to connect to Flux: " + err.Error())
	}
	return newWire(connection)
}

// Sends a request and returns its answer.
func ask(asked request) reply {
	w := connect()
	w.send(asked)
	var answer reply
	if err := w.receive(&answer); err != nil {
		fail("the broker has gone: " + err.Error())
	}
	if answer.Error != "" {
		fail(answer.Error)
	}
	return answer
}

func show(asked request) {
	os.Stdout.Write(ask(asked).Text)
}

func uptime() {
	answer := ask(request{Op: "uptime"})
	// As of Flux 0.88 it ends by a signal where the user has no name.
	users, _ := os.ReadFile("/etc/passwd")
	if !strings.Contains(string(users), fmt.Sprintf(":x:%d:", os.Getuid())) {
		os.Exit(139)
	}
	fmt.Printf(" %s %s %.0fs,  owner root,  depth 0,  size %d\n", time.Now().Format("15:04:05"), answer.State, answer.Seconds, answer.Size)
}

func attribute(words []string) {
	answer := ask(request{Op: "uptime"})
	switch last(words) {
	case "rank":
		fmt.Println(answer.Rank)
	case "size":
		fmt.Println(answer.Size)
	case "state": // For the stand-in of the Python bindings.
		fmt.Println(answer.State)
	default:
		fail("no such attribute: " + last(words))
	}
}

func resource(words []string) {
	if len(words) == 0 {
		fail("usage: flux resource <command>")
	}
	switch words[0] {
	case "drain", "undrain":
		drainHosts(words[0], words[1:])
	case "list":
		listResources(words[1:])
	default:
		fail("the sandbox's flux does not know: flux resource " + words[0])
	}
}

func drainHosts(command string, words []string) {
	asked := request{Op: command}
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		switch word := words[0]; word {
		case "-f", "--force":
			asked.Mode = "force"
		case "-u", "--update":
			asked.Mode = "update"
		default:
			if include := valueOf(words, "--include"); include != "" && command == "drain" {
				show(request{Op: "drained", ID: include})
				return
			}
			fail("unrecognized arguments: " + word)
		}
		words = words[1:]
	}
	if len(words) == 0 {
		fail("the following arguments are required: targets")
	}
	asked.ID, asked.Reason = words[0], strings.Join(words[1:], " ")
	ask(asked)
}

// Starts and stops queues. A named queue is stopped until then, and one without names takes no --queue (flux-queue(1)).
func queue(words []string) {
	if len(words) == 0 || (words[0] != "start" && words[0] != "stop") {
		fail("the sandbox's flux does not know: flux queue " + strings.Join(words, " "))
	}
	asked := request{Op: "queue", Mode: words[0]}
	isAll := false
	for _, word := range words[1:] {
		switch {
		case word == "-a" || word == "--all":
			isAll = true
		case word == "-q" || word == "--quiet":
		case strings.HasPrefix(word, "--queue="):
			asked.ID = strings.TrimPrefix(word, "--queue=")
		default:
			fail("unrecognized arguments: " + word)
		}
	}
	asked.All = isAll
	ask(asked)
}

// The value of an option that is written in one word.
func valueOf(words []string, name string) string {
	for _, word := range words {
		if value, ok := strings.CutPrefix(word, name+"="); ok {
			return value
		}
	}
	return ""
}

// A table, or with `-s up -n -o {nnodes}` the number of hosts that are there.
func listResources(words []string) {
	text := ask(request{Op: "resource list"}).Text
	if !strings.Contains(strings.Join(words, " "), "{nnodes}") {
		os.Stdout.Write(text)
		return
	}
	hosts := 0
	for _, line := range strings.Split(string(text), "\n") {
		var state string
		var count int
		fmt.Sscan(line, &state, &count)
		if state == "free" || state == "allocated" {
			hosts += count
		}
	}
	fmt.Println(hosts)
}

// Options of flux-submit(1) and its kin, by whether their value may be the next word.
var takesValue = "nodes ntasks cores-per-task gpus-per-task cores gpus time-limit output error input queue job-name requires setattr " +
	"setopt env env-remove env-file cwd flags dependency begin-time urgency bank cc bcc rlimit taskmap signal add-file " +
	"tasks-per-node tasks-per-core nslots cores-per-slot gpus-per-slot broker-opts conf wait-event log progress-file " +
	"N n c g t q o u B S"
var takesNone = "quiet watch wait verbose exclusive unbuffered label-io dry-run debug wrap progress jps recursive stats v l x"

// Takes the options of flux submit, run and batch that a request has a place for; the others change nothing here.
func parse(command string, words []string) (asked request, copies int, flags map[string]bool, rest []string) {
	flags, copies = map[string]bool{}, 1
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		word := words[0]
		words = words[1:]
		if word == "--" {
			break
		}
		name, value, has := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if !strings.HasPrefix(word, "--") && len(word) > 2 {
			name, value, has = word[1:2], word[2:], true
		}
		isValued := isOneOf(name, takesValue)
		if !isValued && !isOneOf(name, takesNone) {
			fmt.Fprintf(os.Stderr, "flux-%s: error: unrecognized arguments: %s\n", command, word)
			os.Exit(2)
		}
		if !has && isValued {
			if len(words) == 0 {
				fmt.Fprintf(os.Stderr, "flux-%s: error: argument %s: expected one argument\n", command, word)
				os.Exit(2)
			}
			value, words = words[0], words[1:]
		}
		switch name {
		case "N", "nodes":
			asked.Nodes = count(command, word, value)
		case "n", "ntasks":
			asked.Tasks = count(command, word, value)
		case "c", "cores-per-task":
			asked.Cores = count(command, word, value)
		case "x", "exclusive":
			asked.Exclusive = true
		case "t", "time-limit":
			asked.Seconds = seconds(command, word, value)
		case "cc":
			// As an idset of one range.
			first, last, _ := strings.Cut(value, "-")
			copies = count(command, word, last) - count(command, word, first) + 1
		case "output":
			asked.Output = value
		case "error":
			asked.Error = value
		case "q", "queue":
			asked.Queue = value
		case "requires":
			asked.Require = strings.TrimPrefix(value, "host:")
		case "flags":
			asked.Waitable = strings.Contains(value, "waitable")
		default:
			flags[name] = true
		}
	}
	return asked, copies, flags, words
}

// A time limit: a number of minutes, or with a unit, or a duration such as 20m.
func seconds(command, word, value string) float64 {
	if minutes, err := strconv.ParseFloat(value, 64); err == nil {
		return 60 * minutes
	}
	limit, err := time.ParseDuration(value)
	if err != nil {
		fmt.Fprintf(os.Stderr, "flux-%s: error: argument %s: invalid time limit\n", command, word)
		os.Exit(2)
	}
	return limit.Seconds()
}

func isOneOf(name, names string) bool { return strings.Contains(" "+names+" ", " "+name+" ") }

func count(command, word, value string) int {
	number, err := strconv.Atoi(value)
	if err != nil || number < 1 {
		fmt.Fprintf(os.Stderr, "flux-%s: error: argument %s: must be a positive number\n", command, word)
		os.Exit(2)
	}
	return number
}

func submit(command string, words []string) {
	asked, copies, flags, rest := parse(command, words)
	directory, _ := os.Getwd()
	asked.Op, asked.Parent = "submit", os.Getenv("FLUX_JOB_ID")
	asked.Work = &work{Words: rest, Environment: os.Environ(), Directory: directory}
	if len(rest) == 0 {
		fail("a command is required")
	}
	if command == "batch" {
		asked.Batch = true
		asked.Work.Script = script(rest, flags["wrap"])
		asked.Work.Words = rest[1:]
	}
	watches := command == "run" || flags["watch"]
	for range copies {
		id := ask(asked).ID
		if command != "run" && !flags["quiet"] {
			fmt.Println(id)
		}
		if watches {
			attach(id)
		}
	}
}

func script(words []string, wrap bool) []byte {
	if wrap {
		return []byte("#!/bin/sh\n" + strings.Join(words, " ") + "\n")
	}
	text, err := os.ReadFile(words[0])
	if err != nil {
		fail(err.Error())
	}
	if !strings.HasPrefix(string(text), "#!") {
		fail(words[0] + " does not appear to start with '#!'")
	}
	return text
}

func jobCommand(words []string) {
	if len(words) == 0 {
		fail("usage: flux job <command>")
	}
	switch words[0] {
	case "attach":
		attach(last(words))
	case "wait":
		answer := ask(request{Op: "wait"})
		os.Stderr.Write(answer.Text)
		os.Exit(answer.Status)
	case "cancel":
		ask(request{Op: "cancel", ID: last(words)})
	default:
		fail("the sandbox's flux does not know: flux job " + words[0])
	}
}

// Shows what a job prints, and ends as it does.
func attach(id string) {
	w := connect()
	w.send(request{Op: "attach", ID: id})
	for {
		var answer reply
		if err := w.receive(&answer); err != nil {
			fail("the broker has gone: " + err.Error())
		}
		if answer.Error != "" {
			fail(answer.Error)
		}
		if answer.Done {
			os.Exit(answer.Status)
		}
		if answer.Stream == 2 {
			os.Stderr.Write(answer.Text)
		} else {
			os.Stdout.Write(answer.Text)
		}
	}
}
