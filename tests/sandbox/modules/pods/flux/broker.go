package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// One broker. Its states have the names that flux-uptime(1) shows.
type broker struct {
	config  *config
	rank    int
	cert    string
	began   time.Time
	signals chan os.Signal

	mutex sync.Mutex
	state string
}

func startBroker(words []string) int {
	c, err := readConfig(words)
	if err != nil {
		return refuse(err)
	}
	if len(c.wrap) > 0 && os.Getenv("FLUX_SANDBOX_WRAPPED") == "" {
		return startWrapped(c.wrap, words)
	}
	b := &broker{config: c, state: "join", began: time.Now(), signals: make(chan os.Signal, 8)}
	signal.Notify(b.signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	if b.rank, err = rankOf(c.hosts); err != nil {
		return refuse(err)
	}
	if b.cert, err = readCertificate(c.CertPath); err != nil {
		return refuse(err)
	}
	os.Setenv("FLUX_URI", "local://"+c.socket(b.rank))
	if b.rank == 0 {
		return newLead(b).run()
	}
	return newFollower(b).run()
}

func refuse(err error) int {
	fmt.Fprintf(os.Stderr, "flux-broker: %v\n", err)
	return 1
}

// Puts the programs of --wrap in front, as flux-start(1) does.
func startWrapped(wrap, words []string) int {
	path, err := exec.LookPath(wrap[0])
	if err != nil {
		return refuse(err)
	}
	os.Setenv("FLUX_SANDBOX_WRAPPED", "yes")
	self, _ := os.Executable()
	all := append(append([]string{}, wrap...), append([]string{self, "broker"}, words...)...)
	return refuse(syscall.Exec(path, all, os.Environ()))
}

func rankOf(hosts []string) (int, error) {
	name, _ := os.Hostname()
	for rank, host := range hosts {
		if host == name {
			return rank, nil
		}
	}
	return 0, fmt.Errorf("host %s not found in bootstrap.hosts", name)
}

// A key in Z85 (ZeroMQ RFC 32) in a file of ZPL (RFC 4).
var secretKey = regexp.MustCompile(`(?m)^\s+secret-key = "([^"]{40})"$`)

// What identifies a certificate. Like a real broker this accepts only a file that no other user can read.
func readCertificate(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s: must not be accessible by group or others", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	keys := secretKey.FindSubmatch(text)
	if keys == nil {
		return "", fmt.Errorf("%s: has no curve.secret-key", path)
	}
	sum := sha256.Sum256(keys[1])
	return hex.EncodeToString(sum[:]), nil
}

func (b *broker) setState(state string) {
	b.mutex.Lock()
	before := b.state
	b.state = state
	b.mutex.Unlock()
	if before != state {
		b.log(6, "%s->%s", before, state)
	}
}

func (b *broker) currentState() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.state
}

// Levels are those of syslog.
func (b *broker) log(level int, format string, arguments ...any) {
	limit := 3
	fmt.Sscanf(b.config.attributes["log-stderr-level"], "%d", &limit)
	if level <= limit {
		names := []string{"emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"}
		prefix := ""
		if b.config.attributes["log-stderr-mode"] == "local" {
			// As systemd's journal takes it.
			prefix = fmt.Sprintf("<%d>", level)
		}
		fmt.Fprintf(os.Stderr, "%sbroker.%s[%d]: %s\n", prefix, names[level], b.rank, fmt.Sprintf(format, arguments...))
	}
}

// Answers the commands of this host.
func (b *broker) serveLocal(serve func(*wire, request)) error {
	path := b.config.socket(b.rank)
	os.MkdirAll(filepath.Dir(path), 0o700)
	os.Remove(path)
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close()
				w := newWire(connection)
				var asked request
				if w.receive(&asked) == nil {
					serve(w, asked)
				}
			}()
		}
	}()
	return nil
}

func (b *broker) uptimeReply() reply {
	return reply{State: b.currentState(), Size: len(b.config.hosts), Rank: b.rank, Seconds: time.Since(b.began).Seconds()}
}

// Runs what extends the start of a broker (flux-environment(7), FLUX_RC_EXTRA).
func (b *broker) runExtensions() error {
	for _, directory := range strings.Split(os.Getenv("FLUX_RC_EXTRA"), ":") {
		scripts, _ := filepath.Glob(directory + "/rc1.d/*")
		for _, script := range scripts {
			command := exec.Command(script)
			command.Stdout, command.Stderr = os.Stderr, os.Stderr
			if err := command.Run(); err != nil {
				return fmt.Errorf("rc1: %s: %w", script, err)
			}
		}
	}
	return nil
}
