package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// Runs the tasks of jobs on this host.
type executor struct {
	rank  int
	mutex sync.Mutex
	// Process groups by job.
	running map[string]map[int]bool
}

func newExecutor(rank int) *executor {
	return &executor{rank: rank, running: map[string]map[int]bool{}}
}

// Starts the tasks of this host; what they print and how they end goes to `send`.
func (e *executor) start(m message, send func(any) error) {
	for index, task := range m.Tasks {
		go e.runTask(m, index, task, send)
	}
}

func (e *executor) runTask(m message, index, task int, send func(any) error) {
	status := 127
	defer func() { send(message{Kind: "exit", Job: m.Job, Status: status, Rank: e.rank}) }()
	report := func(text string) { send(message{Kind: "output", Job: m.Job, Stream: 2, Text: []byte(text)}) }
	words := m.Work.Words
	if m.Work.Script != nil {
		file, err := writeScript(m.Work.Script)
		if err != nil {
			report(err.Error() + "\n")
			return
		}
		defer os.Remove(file)
		words = append([]string{file}, words...)
	}
	command := exec.Command(words[0], words[1:]...)
	command.Dir = m.Work.Directory
	if _, err := os.Stat(command.Dir); err != nil {
		command.Dir = "/tmp"
	}
	command.Env = append(m.Work.Environment,
		"FLUX_URI="+os.Getenv("FLUX_URI"),
		"FLUX_JOB_ID="+m.Job,
		fmt.Sprintf("FLUX_TASK_RANK=%d", task),
		fmt.Sprintf("FLUX_TASK_LOCAL_ID=%d", index),
		fmt.Sprintf("FLUX_JOB_SIZE=%d", m.Work.Total),
		fmt.Sprintf("FLUX_JOB_NNODES=%d", m.Work.Nodes))
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var readers sync.WaitGroup
	for stream, pipe := range map[int]func() (io.ReadCloser, error){1: command.StdoutPipe, 2: command.StderrPipe} {
		reader, err := pipe()
		if err != nil {
			return
		}
		readers.Add(1)
		go func() {
			defer readers.Done()
			pass(reader, func(text []byte) { send(message{Kind: "output", Job: m.Job, Stream: stream, Text: text}) })
		}()
	}
	if err := command.Start(); err != nil {
		report(fmt.Sprintf("flux-shell: %v\n", err))
		return
	}
	e.remember(m.Job, command.Process.Pid, true)
	readers.Wait()
	status = statusOf(command.Wait())
	e.remember(m.Job, command.Process.Pid, false)
}

func writeScript(text []byte) (string, error) {
	file, err := os.CreateTemp("", "flux-batch-")
	if err != nil {
		return "", err
	}
	defer file.Close()
	file.Chmod(0o700)
	_, err = file.Write(text)
	return file.Name(), err
}

func pass(reader io.Reader, to func([]byte)) {
	buffer := make([]byte, 32*1024)
	for {
		count, err := reader.Read(buffer)
		if count > 0 {
			to(append([]byte{}, buffer[:count]...))
		}
		if err != nil {
			return
		}
	}
}

// The exit status as a shell has it.
func statusOf(err error) int {
	if err == nil {
		return 0
	}
	if ended, ok := err.(*exec.ExitError); ok {
		if state := ended.Sys().(syscall.WaitStatus); state.Signaled() {
			return 128 + int(state.Signal())
		}
		return ended.ExitCode()
	}
	return 127
}

func (e *executor) remember(job string, group int, runs bool) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.running[job] == nil {
		e.running[job] = map[int]bool{}
	}
	if runs {
		e.running[job][group] = true
	} else {
		delete(e.running[job], group)
	}
}

func (e *executor) kill(job string) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for group := range e.running[job] {
		syscall.Kill(-group, syscall.SIGKILL)
	}
}

func (e *executor) killAll() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, groups := range e.running {
		for group := range groups {
			syscall.Kill(-group, syscall.SIGKILL)
		}
	}
}
