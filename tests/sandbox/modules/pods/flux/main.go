// A replacement of flux(1) in the pods of the sandbox: brokers that find each other over the network by the same configuration
// as real ones, check the certificate, wait for their quorum, and run jobs on each other's hosts. It keeps to what a user of
// MiniClusters sees; it schedules nothing, encrypts nothing, and forgets everything at its end.
package main

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

func main() {
	words := os.Args[1:]
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		words = words[1:]
	}
	if len(words) == 0 {
		fail("usage: flux <command>")
	}
	command, rest := words[0], words[1:]
	switch command {
	case "start", "broker":
		os.Exit(startBroker(rest))
	case "uptime":
		uptime()
	case "submit", "run", "batch":
		submit(command, rest)
	case "job":
		jobCommand(rest)
	case "jobs":
		show(request{Op: "jobs", ID: valueOf(rest, "--include")})
	case "resource":
		resource(rest)
	case "cancel":
		ask(request{Op: "cancel", ID: last(rest)})
	case "shutdown":
		ask(request{Op: "shutdown"})
	case "queue":
		queue(rest)
	case "proxy":
		proxy(rest)
	case "getattr":
		attribute(rest)
	case "R":
		describe(rest)
	case "state":
		show(request{Op: "state"})
	case "python":
		python(rest)
	case "version", "--version":
		fmt.Println("commands: 0.0.0-sandbox")
	default:
		fail("the sandbox's flux does not know: flux " + command)
	}
}

func last(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, "flux: "+message)
	os.Exit(1)
}

// Runs a command with the socket that is named. A shell reads it, even where it comes in several words.
func proxy(words []string) {
	if len(words) < 2 {
		fail("usage: flux proxy <uri> <command>")
	}
	os.Setenv("FLUX_URI", words[0])
	ask(request{Op: "uptime"})
	shell := os.Getenv("SHELL")
	if shell == "" {
		shell = "/bin/sh"
	}
	fail(syscall.Exec(shell, []string{shell, "-c", strings.Join(words[1:], " ")}, os.Environ()).Error())
}

// Hosts without resources: the sandbox's jobs request a number of hosts alone.
func describe(words []string) {
	if len(words) > 0 && words[0] == "append" {
		text, _ := io.ReadAll(os.Stdin)
		fmt.Printf("[%s]\n", strings.Join(strings.Fields(string(text)), ","))
		return
	}
	hosts := ""
	for _, word := range words {
		if value, ok := strings.CutPrefix(word, "--hosts="); ok {
			hosts = value
		}
	}
	fmt.Printf(`{"version":1,"execution":{"nodelist":[%q]}}`+"\n", hosts)
}

// Where the image of the view has the stand-in of Flux's Python bindings.
const bindings = "/opt/software/flux/python"

// Runs a program by the Python of the image, with the stand-in of Flux's bindings. An image without Python tests archives.
func python(words []string) {
	path, err := exec.LookPath("python3")
	if err != nil {
		testArchive(last(words))
		return
	}
	os.Setenv("PYTHONPATH", bindings)
	fail(syscall.Exec(path, append([]string{path, "-B"}, words...), os.Environ()).Error())
}

// As `flux python -m tarfile --test <file>` does.
func testArchive(path string) {
	file, err := os.Open(path)
	if err != nil {
		fail(err.Error())
	}
	reader, entries := tar.NewReader(file), 0
	for {
		if _, err = reader.Next(); err != nil {
			break
		}
		entries++
	}
	if !errors.Is(err, io.EOF) || entries == 0 {
		fail("not a whole archive: " + path)
	}
}
