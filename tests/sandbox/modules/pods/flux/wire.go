package main

import (
	"bufio"
	"encoding/json"
	"net"
	"sync"
	"time"
)

// What brokers say to each other, one JSON value in a line.
type message struct {
	Kind string
	// "hello" and "client": who greets.
	Cert string `json:",omitempty"`
	Rank int    `json:",omitempty"`
	Host string `json:",omitempty"`
	// "welcome" and "state": the lead's own name for this run of it, and its state.
	Lead  string `json:",omitempty"`
	State string `json:",omitempty"`
	// "exec", "output", "exit" and "kill": of which job.
	Job    string `json:",omitempty"`
	Tasks  []int  `json:",omitempty"`
	Work   *work  `json:",omitempty"`
	Stream int    `json:",omitempty"`
	Text   []byte `json:",omitempty"`
	Status int    `json:",omitempty"`
}

// What the tasks of a job run.
type work struct {
	Words       []string
	Script      []byte
	Environment []string
	Directory   string
	Nodes       int
	Total       int
}

// A command's request to its broker.
type request struct {
	Op        string
	ID        string
	Reason    string
	Mode      string
	All       bool
	Nodes     int
	Tasks     int
	Cores     int
	Exclusive bool
	Seconds   float64 // The time limit, or 0.
	Queue     string
	Require   string
	Output    string
	Error     string
	Waitable  bool
	Batch     bool
	Work      *work
	// The job that has submitted this one. A batch job is an instance with its own hosts.
	Parent string
}

type reply struct {
	Error   string
	ID      string
	State   string
	Rank    int
	Size    int
	Seconds float64
	Stream  int
	Text    []byte
	Done    bool
	Status  int
}

// A connection with one JSON value in a line.
type wire struct {
	connection net.Conn
	decoder    *json.Decoder
	mutex      sync.Mutex
}

func newWire(connection net.Conn) *wire {
	if tcp, ok := connection.(*net.TCPConn); ok {
		tcp.SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 5 * time.Second, Count: 3})
	}
	return &wire{connection: connection, decoder: json.NewDecoder(bufio.NewReader(connection))}
}

func (w *wire) send(value any) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.connection.SetWriteDeadline(time.Now().Add(20 * time.Second))
	return json.NewEncoder(w.connection).Encode(value)
}

func (w *wire) receive(value any) error {
	return w.decoder.Decode(value)
}
