// Reads JSONPath expressions and selects with them as Pulumi's Kubernetes provider does, with the parser that it uses: requests
// as JSON at its input, an answer to each at its output.
package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"

	"github.com/theory/jsonpath"
)

type request struct {
	Expression string
	// Objects to select from.
	Objects []any
}

type answer struct {
	// Why the expression was refused.
	Error string `json:"error,omitempty"`
	// What the expression selects from each object.
	Results [][]any `json:"results"`
}

func main() {
	input, output := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	input.UseNumber()
	for {
		var asked request
		if err := input.Decode(&asked); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		if err := output.Encode(evaluate(asked)); err != nil {
			log.Fatal(err)
		}
	}
}

func evaluate(asked request) answer {
	path, err := jsonpath.Parse(asked.Expression)
	if err != nil {
		return answer{Error: err.Error()}
	}
	results := [][]any{}
	for _, object := range asked.Objects {
		results = append(results, append([]any{}, path.Select(typed(object))...))
	}
	return answer{Results: results}
}

// The value with numbers of the types that Kubernetes' clients give them.
func typed(value any) any {
	switch value := value.(type) {
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole
		}
		fraction, err := value.Float64()
		if err != nil {
			log.Fatal(err)
		}
		return fraction
	case []any:
		for index := range value {
			value[index] = typed(value[index])
		}
	case map[string]any:
		for key := range value {
			value[key] = typed(value[key])
		}
	}
	return value
}
