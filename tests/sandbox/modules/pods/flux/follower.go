package main

import (
	"context"
	"net"
	"os"
	"time"
)

// A broker that has tried an address in vain looks up the name of its lead again only after so long.
const holdsOnTo = 15 * time.Second

type follower struct {
	*broker
	executor *executor
	lead     string
}

func newFollower(b *broker) *follower {
	return &follower{broker: b, executor: newExecutor(b.rank)}
}

func (f *follower) run() int {
	if err := f.serveLocal(f.serve); err != nil {
		return refuse(err)
	}
	context, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan int, 1)
	connections := make(chan *wire, 1)
	go func() { ended <- f.stayConnected(context, connections) }()
	var current *wire
	for {
		select {
		case current = <-connections:
		case status := <-ended:
			f.executor.killAll()
			return status
		case received := <-f.signals:
			f.log(6, "signal %v", received)
			if f.currentState() == "join" {
				f.hangWithoutLead()
				return 1
			}
			f.executor.killAll()
			if current != nil {
				current.send(message{Kind: "bye"})
			}
			return 0
		}
	}
}

// A broker that has not joined yet and whose lead has no address any more does not come to its end: it waits to be killed.
func (f *follower) hangWithoutLead() {
	host, _, _ := net.SplitHostPort(f.config.leadAddress())
	if _, err := net.LookupHost(host); err == nil {
		return
	}
	f.log(3, "shutdown: waiting for the modules to be unloaded")
	for range f.signals {
		f.log(3, "shutdown: still waiting")
	}
}

// Joins the lead, and joins it again when the connection is lost. Returns the exit status of the broker.
func (f *follower) stayConnected(context context.Context, connections chan<- *wire) int {
	for {
		w := f.dial(context)
		if w == nil {
			return 1
		}
		f.greet(w)
		var welcome message
		if err := w.receive(&welcome); err != nil || welcome.Kind != "welcome" {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		if f.lead != "" && f.lead != welcome.Lead {
			f.log(3, "the lead broker is another one: disconnected")
			return 1
		}
		f.joined(welcome)
		connections <- w
		if f.listen(w) {
			f.setState("shutdown")
			return 0
		}
		f.log(3, "lost the connection to the lead broker")
	}
}

func (f *follower) greet(w *wire) {
	host, _ := os.Hostname()
	w.send(message{Kind: "hello", Cert: f.cert, Rank: f.rank, Host: host})
}

func (f *follower) joined(welcome message) {
	f.lead = welcome.Lead
	if f.currentState() == "join" {
		f.setState("init")
		f.setState("quorum")
	}
	f.follow(welcome.State)
}

func (f *follower) follow(state string) {
	if state == "run" {
		f.setState("run")
	}
}

// Carries out the lead's messages until the connection ends; returns whether the lead has ended it in order.
func (f *follower) listen(w *wire) bool {
	for {
		var m message
		if err := w.receive(&m); err != nil {
			return false
		}
		switch m.Kind {
		case "state":
			f.follow(m.State)
		case "exec":
			f.executor.start(m, w.send)
		case "kill":
			f.executor.kill(m.Job)
		case "shutdown":
			f.executor.killAll()
			w.send(message{Kind: "bye"})
			return true
		}
	}
}

// The family of the addresses that a broker connects to (zmq_tcp(7)).
func (f *follower) family() string {
	if f.config.EnableIPv6 {
		return "ip"
	}
	return "ip4"
}

func (f *follower) dial(context context.Context) *wire {
	host, port, err := net.SplitHostPort(f.config.leadAddress())
	if err != nil {
		f.log(2, "%v", err)
		return nil
	}
	dialer := net.Dialer{Timeout: holdsOnTo}
	for context.Err() == nil {
		addresses, err := net.DefaultResolver.LookupIP(context, f.family(), host)
		if err != nil || len(addresses) == 0 {
			time.Sleep(time.Second)
			continue
		}
		for until := time.Now().Add(holdsOnTo); time.Now().Before(until) && context.Err() == nil; {
			if connection, err := dialer.DialContext(context, "tcp", net.JoinHostPort(addresses[0].String(), port)); err == nil {
				return newWire(connection)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	return nil
}

// The lead answers commands on this host, except for what this broker has itself.
func (f *follower) serve(w *wire, asked request) {
	if asked.Op == "uptime" {
		w.send(f.uptimeReply())
		return
	}
	connection, err := net.DialTimeout("tcp", f.config.leadAddress(), 5*time.Second)
	if err != nil {
		w.send(reply{Error: err.Error()})
		return
	}
	defer connection.Close()
	upstream := newWire(connection)
	upstream.send(message{Kind: "client", Cert: f.cert})
	upstream.send(asked)
	for {
		var answer reply
		if upstream.receive(&answer) != nil || w.send(answer) != nil {
			return
		}
	}
}
