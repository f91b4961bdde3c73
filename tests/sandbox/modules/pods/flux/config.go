package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// What a broker reads from its command line and its configuration (flux-config-bootstrap(5)).
type config struct {
	hosts      []string
	certPath   string
	port       string
	bind       string
	connect    string
	attributes map[string]string
	program    []string
	wrap       []string
}

func readConfig(words []string) (*config, error) {
	c := &config{attributes: map[string]string{}}
	path := ""
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		word := words[0]
		words = words[1:]
		if word == "-c" || word == "-S" {
			if len(words) == 0 {
				return nil, fmt.Errorf("%s needs a value", word)
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
		}
	}
	c.program = words
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return c, c.readBootstrap(string(text))
}

func (c *config) setAttribute(text string) {
	name, value, _ := strings.Cut(text, "=")
	c.attributes[name] = value
}

var (
	comment   = regexp.MustCompile(`(?m)^\s*#.*$`)
	hostEntry = regexp.MustCompile(`\{([^}]*)\}`)
)

func (c *config) readBootstrap(text string) error {
	text = comment.ReplaceAllString(text, "")
	c.certPath = setting(text, "curve_cert")
	c.port = setting(text, "default_port")
	c.bind = setting(text, "default_bind")
	c.connect = setting(text, "default_connect")
	_, list, found := strings.Cut(text, "hosts = [\n")
	if !found {
		if _, list, found = strings.Cut(text, "hosts = ["); !found {
			return fmt.Errorf("the configuration has no bootstrap.hosts")
		}
	}
	for _, entry := range hostEntry.FindAllStringSubmatch(list, -1) {
		name := setting(entry[1], "host")
		if name == "" {
			continue
		}
		if len(c.hosts) == 0 && setting(entry[1], "connect") != "" {
			c.connect = setting(entry[1], "connect")
		}
		c.hosts = append(c.hosts, expand(name)...)
	}
	if len(c.hosts) == 0 {
		return fmt.Errorf("bootstrap.hosts names no host")
	}
	return nil
}

// The value of a key, with or without quotes.
func setting(text, key string) string {
	found := regexp.MustCompile(`(?:^|[\s,{])` + key + `\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s,}]+))`).FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1] + found[2] + found[3]
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
	address := strings.ReplaceAll(strings.ReplaceAll(c.connect, "%h", c.hosts[0]), "%p", c.port)
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
