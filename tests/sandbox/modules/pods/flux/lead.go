package main

import (
	"archive/tar"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A lead that is to stop ends its jobs, its modules and its followers first.
const farewell = 3 * time.Second

// The broker of rank 0, which all others connect to.
type lead struct {
	*broker
	name     string
	jobs     *jobs
	executor *executor
	stop     chan struct{}
	stopOnce sync.Once
	standing chan struct{}

	peersMutex sync.Mutex
	peers      map[int]*wire
}

func newLead(b *broker) *lead {
	l := &lead{
		broker:   b,
		name:     fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixNano()),
		executor: newExecutor(0),
		stop:     make(chan struct{}),
		standing: make(chan struct{}),
		peers:    map[int]*wire{},
	}
	l.jobs = newJobs(l)
	return l
}

func (l *lead) run() int {
	network, address, err := l.bindAddress()
	if err != nil {
		return refuse(err)
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		return refuse(err)
	}
	l.setState("init")
	if path := l.config.attributes["content.restore"]; path != "" {
		if _, err := os.Stat(path); err != nil {
			return refuse(err)
		}
		l.log(6, "restored the state from %s", path)
	}
	if err := l.serveLocal(l.serve); err != nil {
		return refuse(err)
	}
	if err := l.runExtensions(); err != nil {
		return refuse(err)
	}
	go l.accept(listener)
	l.setState("quorum")
	l.checkQuorum()
	status := l.work()
	l.setState("cleanup")
	l.jobs.cancelAll()
	l.setState("shutdown")
	l.dismiss()
	if err := l.dump(); err != nil {
		return refuse(err)
	}
	l.setState("exit")
	return status
}

// Waits for the quorum and runs the initial program, or without one waits for the end.
func (l *lead) work() int {
	select {
	case <-l.standing:
	case received := <-l.signals:
		l.log(6, "signal %v", received)
		return 1
	case <-l.stop:
		return 0
	}
	if _, none := l.config.attributes["broker.rc2_none"]; none {
		select {
		case <-l.signals:
			time.Sleep(farewell)
		case <-l.stop:
		}
		return 0
	}
	program := l.config.program
	if len(program) == 0 {
		program = []string{"/bin/bash"}
	}
	command := exec.Command(program[0], program[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		l.log(3, "rc2.0: %v", err)
		return 127
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for {
		select {
		case err := <-ended:
			return statusOf(err)
		case received := <-l.signals:
			l.log(6, "signal %v", received)
			syscall.Kill(-command.Process.Pid, received.(syscall.Signal))
		case <-l.stop:
			syscall.Kill(-command.Process.Pid, syscall.SIGTERM)
			return statusOf(<-ended)
		}
	}
}

// The address that a broker listens at. ZeroMQ has IPv4 alone, unless IPv6 is enabled (zmq_tcp(7)); an interface is its first
// address of a family that it has.
func (l *lead) bindAddress() (network, address string, err error) {
	network = "tcp4"
	if l.config.EnableIPv6 {
		network = "tcp"
	}
	uri := strings.ReplaceAll(l.config.Bind, "%p", strconv.Itoa(l.config.Port))
	host, port, err := net.SplitHostPort(strings.TrimPrefix(uri, "tcp://"))
	if err != nil {
		return "", "", fmt.Errorf("error binding to %s: %w", uri, err)
	}
	if host == "*" {
		return network, ":" + port, nil
	}
	found, err := net.InterfaceByName(host)
	if err != nil {
		return network, net.JoinHostPort(host, port), nil
	}
	addresses, _ := found.Addrs()
	for _, address := range addresses {
		if known, ok := address.(*net.IPNet); ok && (known.IP.To4() != nil || l.config.EnableIPv6) {
			return network, net.JoinHostPort(known.IP.String(), port), nil
		}
	}
	return "", "", fmt.Errorf("error binding to %s: No such device", uri)
}

func (l *lead) accept(listener net.Listener) {
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer connection.Close()
			w := newWire(connection)
			var greeting message
			if w.receive(&greeting) != nil {
				return
			}
			if greeting.Cert != l.cert {
				// A real broker says nothing to a stranger, who waits and tries for ever.
				w.receive(&greeting)
				return
			}
			if greeting.Kind == "client" {
				var asked request
				if w.receive(&asked) == nil {
					l.serve(w, asked)
				}
				return
			}
			l.attend(greeting, w)
		}()
	}
}

// Serves one follower until its connection ends.
func (l *lead) attend(greeting message, w *wire) {
	rank := greeting.Rank
	l.peersMutex.Lock()
	if before := l.peers[rank]; before != nil {
		before.connection.Close()
	}
	l.peers[rank] = w
	l.peersMutex.Unlock()
	w.send(message{Kind: "welcome", Lead: l.name, State: l.currentState()})
	l.log(6, "online: %s (rank %d)", greeting.Host, rank)
	l.checkQuorum()
	l.jobs.schedule()
	for {
		var m message
		if w.receive(&m) != nil || m.Kind == "bye" {
			break
		}
		l.jobs.hear(m)
	}
	l.peersMutex.Lock()
	isCurrent := l.peers[rank] == w
	if isCurrent {
		delete(l.peers, rank)
	}
	l.peersMutex.Unlock()
	if isCurrent {
		l.log(6, "offline: %s (rank %d)", greeting.Host, rank)
		l.jobs.lose(rank)
	}
}

func (l *lead) checkQuorum() {
	if l.currentState() != "quorum" || len(l.online()) < l.config.quorum() {
		return
	}
	l.setState("run")
	l.broadcast(message{Kind: "state", State: "run"})
	l.peersMutex.Lock()
	defer l.peersMutex.Unlock()
	select {
	case <-l.standing:
	default:
		close(l.standing)
	}
}

// Ranks whose brokers are there.
func (l *lead) online() map[int]bool {
	l.peersMutex.Lock()
	defer l.peersMutex.Unlock()
	ranks := map[int]bool{0: true}
	for rank := range l.peers {
		ranks[rank] = true
	}
	return ranks
}

func (l *lead) broadcast(m message) {
	l.peersMutex.Lock()
	peers := make([]*wire, 0, len(l.peers))
	for _, peer := range l.peers {
		peers = append(peers, peer)
	}
	l.peersMutex.Unlock()
	for _, peer := range peers {
		peer.send(m)
	}
}

// Hands a message to the broker of a rank.
func (l *lead) sendTo(rank int, m message) error {
	if rank == 0 {
		if m.Kind == "exec" {
			l.executor.start(m, func(value any) error { l.jobs.hear(value.(message)); return nil })
		} else {
			l.executor.kill(m.Job)
		}
		return nil
	}
	l.peersMutex.Lock()
	peer := l.peers[rank]
	l.peersMutex.Unlock()
	if peer == nil {
		return errors.New("the broker is not there")
	}
	return peer.send(m)
}

// Ends the followers, and gives them a moment to leave.
func (l *lead) dismiss() {
	l.broadcast(message{Kind: "shutdown"})
	for until := time.Now().Add(2 * time.Second); time.Now().Before(until) && len(l.online()) > 1; {
		time.Sleep(10 * time.Millisecond)
	}
}

// Saves an empty state as an archive that passes the test for a complete one.
func (l *lead) dump() error {
	path := l.config.attributes["content.dump"]
	if path == "" {
		return nil
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	text := []byte("the jobs of the instance\n")
	writer := tar.NewWriter(file)
	if err := writer.WriteHeader(&tar.Header{Name: "jobs", Mode: 0o600, Size: int64(len(text))}); err != nil {
		return err
	}
	writer.Write(text)
	return writer.Close()
}

// Answers a command, of this host or of another.
func (l *lead) serve(w *wire, asked request) {
	switch asked.Op {
	case "uptime":
		w.send(l.uptimeReply())
	case "submit":
		w.send(l.jobs.submit(asked))
	case "attach":
		l.jobs.attach(asked.ID, w)
	case "wait":
		w.send(l.jobs.waitAll())
	case "jobs":
		w.send(reply{Text: l.jobs.list(asked.ID)})
	case "state":
		w.send(reply{Text: l.jobs.state()})
	case "resource list":
		w.send(reply{Text: l.jobs.resourceTable()})
	case "drain", "undrain":
		w.send(l.jobs.drain(asked.ID, asked.Op == "drain", asked.Reason, asked.Mode))
	case "queue":
		w.send(l.jobs.setQueues(asked.ID, asked.All, asked.Mode == "start"))
	case "drained":
		w.send(reply{Text: l.jobs.reasonOf(asked.ID)})
	case "cancel":
		l.jobs.cancel(asked.ID)
		w.send(reply{})
	case "shutdown":
		w.send(reply{})
		l.stopOnce.Do(func() { close(l.stop) })
	default:
		w.send(reply{Error: "unknown request " + asked.Op})
	}
}
