// Package drive runs a Pulumi program inline, as the automation API does, for tests that are written in another language.
package drive

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optdestroy"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type request struct {
	Stack      string
	WorkDir    string
	Operations []operation
}

type operation struct {
	Kind    string
	Program string
	Config  map[string]string
}

type result struct {
	Kind    string         `json:"kind"`
	OK      bool           `json:"ok"`
	Text    string         `json:"text"`
	Error   string         `json:"error,omitempty"`
	Outputs map[string]any `json:"outputs"`
}

// Main reads a request from stdin, writes the result of each operation to stdout as a line of JSON, and ends the process.
// The program of an operation is chosen by the folder that it names.
func Main(choose func(folder string) pulumi.RunFunc) {
	results := os.Stdout
	// The program's output must not come between the results.
	os.Stdout = os.Stderr
	if err := serve(os.Stdin, results, choose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func serve(in io.Reader, out io.Writer, choose func(folder string) pulumi.RunFunc) error {
	var asked request
	if err := json.NewDecoder(in).Decode(&asked); err != nil {
		return fmt.Errorf("the request on stdin: %w", err)
	}
	ctx := context.Background()
	// The project is the one of the working directory; the name counts only without a project.
	stack, err := auto.UpsertStackInlineSource(ctx, asked.Stack, "minicluster-tests", nil, auto.WorkDir(asked.WorkDir))
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	for _, operation := range asked.Operations {
		program := choose(operation.Program)
		if program == nil {
			return fmt.Errorf("this executable has no program %s", operation.Program)
		}
		stack.Workspace().SetProgram(program)
		if err := encoder.Encode(run(ctx, stack, operation)); err != nil {
			return err
		}
	}
	return nil
}

func run(ctx context.Context, stack auto.Stack, asked operation) result {
	var text bytes.Buffer
	outputs, err := operate(ctx, stack, asked, &text)
	done := result{Kind: asked.Kind, OK: err == nil, Text: text.String(), Outputs: map[string]any{}}
	if err != nil {
		done.Error = err.Error()
	}
	for name, output := range outputs {
		done.Outputs[name] = output.Value
	}
	return done
}

func operate(ctx context.Context, stack auto.Stack, asked operation, text io.Writer) (auto.OutputMap, error) {
	for key, value := range asked.Config {
		if err := stack.SetConfig(ctx, key, auto.ConfigValue{Value: value}); err != nil {
			return nil, err
		}
	}
	switch asked.Kind {
	case "up":
		up, err := stack.Up(ctx, optup.Diff(), optup.Color("never"), optup.ProgressStreams(text))
		return up.Outputs, err
	case "preview":
		_, err := stack.Preview(ctx, optpreview.Diff(), optpreview.Color("never"), optpreview.ProgressStreams(text))
		return nil, err
	case "destroy":
		_, err := stack.Destroy(ctx, optdestroy.Color("never"), optdestroy.ProgressStreams(text))
		return nil, err
	default:
		return nil, fmt.Errorf("no operation is called %q", asked.Kind)
	}
}
