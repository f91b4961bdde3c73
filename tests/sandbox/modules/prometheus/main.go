// Reads scrapes and evaluates queries as Prometheus does, with its own parsers and its own engine: a request as JSON at its input,
// the answers at its output.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

type request struct {
	// What a target has answered, at milliseconds since the epoch, in their order.
	Scrapes []struct {
		Time int64
		Text string
	}
	// Labels of the target.
	Target map[string]string
	// Queries, each over all of the time of the scrapes.
	Queries     []string
	StepSeconds int
}

type answer struct {
	// What Prometheus' linter has to say of the metrics.
	Problems []promlint.Problem `json:"problems"`
	// What each query reads, and the series that it comes to.
	Results []result `json:"results"`
}

type result struct {
	Metrics []string      `json:"metrics"`
	Series  promql.Matrix `json:"series"`
}

func main() {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		log.Fatal(err)
	}
	found, err := evaluate(asked)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		log.Fatal(err)
	}
}

func evaluate(asked request) (*answer, error) {
	data := database{}
	for _, scrape := range asked.Scrapes {
		if err := data.add(scrape.Text, scrape.Time, asked.Target); err != nil {
			return nil, err
		}
	}
	first, last := asked.Scrapes[0], asked.Scrapes[len(asked.Scrapes)-1]
	problems, err := promlint.New(strings.NewReader(last.Text)).Lint()
	if err != nil {
		return nil, err
	}
	reader := parser.NewParser(parser.Options{})
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 10_000_000, Timeout: time.Minute, Parser: reader})
	found := &answer{Problems: append([]promlint.Problem{}, problems...), Results: []result{}}
	for _, text := range asked.Queries {
		expression, err := reader.ParseExpr(text)
		if err != nil {
			return nil, errors.Join(errors.New(text), err)
		}
		step := time.Duration(asked.StepSeconds) * time.Second
		from, to := time.UnixMilli(first.Time), time.UnixMilli(last.Time)
		query, err := engine.NewRangeQuery(context.Background(), data, nil, text, from, to, step)
		if err != nil {
			return nil, errors.Join(errors.New(text), err)
		}
		series, err := query.Exec(context.Background()).Matrix()
		if err != nil {
			return nil, errors.Join(errors.New(text), err)
		}
		found.Results = append(found.Results, result{metricsOf(expression), series})
	}
	return found, nil
}

// metricsOf returns the names of the metrics that an expression reads.
func metricsOf(expression parser.Expr) []string {
	names := []string{}
	parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
		if selector, ok := node.(*parser.VectorSelector); ok {
			names = append(names, selector.Name)
		}
		return nil
	})
	return names
}

// database holds series by the text of their labels.
type database map[string]*series

type series struct {
	labels  labels.Labels
	samples []chunks.Sample
}

// add reads what a target has answered as text.
func (data database) add(text string, at int64, target map[string]string) error {
	reader, err := textparse.New([]byte(text), "text/plain; version=0.0.4; charset=utf-8", labels.NewSymbolTable(), textparse.ParserOptions{})
	if err != nil {
		return err
	}
	for {
		entry, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if entry != textparse.EntrySeries {
			continue
		}
		var own labels.Labels
		reader.Labels(&own)
		_, _, value := reader.Series()
		builder := labels.NewBuilder(own)
		for name, value := range target {
			builder.Set(name, value)
		}
		all := builder.Labels()
		key := all.String()
		if data[key] == nil {
			data[key] = &series{labels: all}
		}
		data[key].samples = append(data[key].samples, sample{at, value})
	}
}

// Querier makes a database out of what the engine requests.
func (data database) Querier(int64, int64) (storage.Querier, error) {
	find := func(_ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
		found := []storage.Series{}
		for _, one := range data {
			if matches(one.labels, matchers) {
				found = append(found, storage.NewListSeries(one.labels, one.samples))
			}
		}
		return &set{found, -1}
	}
	return &storage.MockQuerier{SelectMockFunction: find}, nil
}

func matches(all labels.Labels, matchers []*labels.Matcher) bool {
	for _, matcher := range matchers {
		if !matcher.Matches(all.Get(matcher.Name)) {
			return false
		}
	}
	return true
}

type set struct {
	series []storage.Series
	place  int
}

func (all *set) Next() bool                    { all.place++; return all.place < len(all.series) }
func (all *set) At() storage.Series            { return all.series[all.place] }
func (*set) Err() error                        { return nil }
func (*set) Warnings() annotations.Annotations { return nil }

type sample struct {
	at    int64
	value float64
}

func (one sample) T() int64                  { return one.at }
func (sample) ST() int64                     { return 0 }
func (one sample) F() float64                { return one.value }
func (sample) H() *histogram.Histogram       { return nil }
func (sample) FH() *histogram.FloatHistogram { return nil }
func (sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (one sample) Copy() chunks.Sample       { return one }
