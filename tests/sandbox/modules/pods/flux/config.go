package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// What a broker reads from its command line and its configuration (flux-config-bootstrap(5)).
type config struct {
	bootstrap
	queues map[string]queueTable
	// The queue of jobs that name none.
	defaultQueue string
	exclude      map[string]bool
	properties   map[string]map[string]bool
	hosts        []string
	attributes   map[string]string
	program      []string
	wrap         []string
}

// The table [bootstrap], of which a broker takes no other key.
type bootstrap struct {
	EnableIPv6 bool        `toml:"enable_ipv6"`
	CertPath   string      `toml:"curve_cert"`
	Port       int         `toml:"default_port"`
	Bind       string      `toml:"default_bind"`
	Connect    string      `toml:"default_connect"`
	Entries    []hostEntry `toml:"hosts"`
}

type hostEntry struct {
	Host    string `toml:"host"`
	Bind    string `toml:"bind"`
	Connect string `toml:"connect"`
	Parent  string `toml:"parent"`
}

// A queue (flux-config-queues(5)): jobs in it run on hosts with these properties.
type queueTable struct {
	Requires []string `toml:"requires"`
	Policy   any      `toml:"policy"`
}

// The tables that this stand-in reads, and those whose keys it does not know.
type document struct {
	Bootstrap any                   `toml:"bootstrap"`
	Queues    map[string]queueTable `toml:"queues"`
	Resource  resourceTable         `toml:"resource"`
	Policy    struct {
		Jobspec struct {
			Defaults struct {
				System struct {
					Queue string `toml:"queue"`
				} `toml:"system"`
			} `toml:"defaults"`
		} `toml:"jobspec"`
	} `toml:"policy"`
}

type resourceTable struct {
	Exclude string `toml:"exclude"`
	Config  []struct {
		Hosts      string   `toml:"hosts"`
		Properties []string `toml:"properties"`
	} `toml:"config"`
}

// Options of flux-start(1) and flux-broker(1) that the package writes.
func readConfig(words []string) (*config, error) {
	c := &config{attributes: map[string]string{}}
	path := ""
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		word := words[0]
		words = words[1:]
		if word == "-c" || word == "-S" {
			if len(words) == 0 {
				return nil, fmt.Errorf("option requires an argument -- '%s'", word[1:])
			}
			word, words = word+words[0], words[1:]
		}
		switch {
		case strings.HasPrefix(word, "--config-path="):
			path = strings.TrimPrefix(word, "--config-path=")
		case strings.HasPrefix(word, "-c"):
			path = word[2:]
		case strings.HasPrefix(word, "-S"):
			c.setAttribute(word[2:])
		case strings.HasPrefix(word, "--setattr="):
			c.setAttribute(strings.TrimPrefix(word, "--setattr="))
		case strings.HasPrefix(word, "--wrap="):
			c.wrap = strings.Split(strings.TrimPrefix(word, "--wrap="), ",")
		default:
			return nil, fmt.Errorf("unrecognized option '%s'", word)
		}
	}
	c.program = words
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return c, c.read(text)
}

func (c *config) setAttribute(text string) {
	name, value, _ := strings.Cut(text, "=")
	c.attributes[name] = value
}

func (c *config) read(text []byte) error {
	var all document
	if err := toml.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("config file error: %w", err)
	}
	table, err := toml.Marshal(all.Bootstrap)
	if err != nil {
		return fmt.Errorf("config file error [bootstrap]: %w", err)
	}
	if err := toml.NewDecoder(bytes.NewReader(table)).DisallowUnknownFields().Decode(&c.bootstrap); err != nil {
		return fmt.Errorf("config file error [bootstrap]: %w", err)
	}
	c.queues, c.defaultQueue = all.Queues, all.Policy.Jobspec.Defaults.System.Queue
	c.exclude = map[string]bool{}
	for _, host := range expand(all.Resource.Exclude) {
		c.exclude[host] = true
	}
	c.properties = map[string]map[string]bool{}
	for _, table := range all.Resource.Config {
		for _, host := range expand(table.Hosts) {
			if c.properties[host] == nil {
				c.properties[host] = map[string]bool{}
			}
			for _, property := range table.Properties {
				c.properties[host][property] = true
			}
		}
	}
	for index, entry := range c.Entries {
		if index == 0 && entry.Connect != "" {
			c.Connect = entry.Connect
		}
		c.hosts = append(c.hosts, expand(entry.Host)...)
	}
	if len(c.hosts) == 0 {
		return fmt.Errorf("config file error [bootstrap]: hosts names no host")
	}
	return nil
}

var ranges = regexp.MustCompile(`^(.*)\[([^\]]*)\](.*)$`)

// The hosts of a hostlist (RFC 29 of Flux) with at most one pair of brackets in each entry.
func expand(text string) []string {
	var hosts []string
	for _, entry := range splitOutside(text) {
		found := ranges.FindStringSubmatch(entry)
		if found == nil {
			hosts = append(hosts, entry)
			continue
		}
		for _, part := range strings.Split(found[2], ",") {
			from, to, isRange := strings.Cut(part, "-")
			if !isRange {
				to = from
			}
			first, _ := strconv.Atoi(from)
			last, _ := strconv.Atoi(to)
			for i := first; i <= last; i++ {
				hosts = append(hosts, fmt.Sprintf("%s%0*d%s", found[1], len(from), i, found[3]))
			}
		}
	}
	return hosts
}

// Splits at the commas that stand outside of brackets.
func splitOutside(text string) []string {
	var parts []string
	depth, start := 0, 0
	for i, letter := range text {
		switch {
		case letter == '[':
			depth++
		case letter == ']':
			depth--
		case letter == ',' && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// Where rank 0 listens, as the others reach it.
func (c *config) leadAddress() string {
	address := strings.ReplaceAll(strings.ReplaceAll(c.Connect, "%h", c.hosts[0]), "%p", strconv.Itoa(c.Port))
	return strings.TrimPrefix(address, "tcp://")
}

// Path of the socket for the commands of this host (local-uri of flux-broker-attributes(7)).
func (c *config) socket(rank int) string {
	if uri := c.attributes["local-uri"]; uri != "" {
		return strings.TrimPrefix(uri, "local://")
	}
	return fmt.Sprintf("%s/local-%d", c.attributes["rundir"], rank)
}

func (c *config) quorum() int {
	if count, err := strconv.Atoi(c.attributes["broker.quorum"]); err == nil {
		return count
	}
	return len(c.hosts)
}
