// A device plugin without devices: it advertises the resources in a file, which tests change while it runs.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

const interval = 100 * time.Millisecond

// Devices of a resource: whether each of them is healthy.
type devices map[string][]bool

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: device-plugin <JSON file of lists by the names of resources, with true for a healthy device>")
	}
	file := os.Args[1]
	serving := map[string]bool{}
	for ; ; time.Sleep(interval) {
		for resource := range read(file) {
			if !serving[resource] {
				serving[resource] = true
				check(serve(&plugin{file: file, resource: resource}))
			}
		}
	}
}

type plugin struct {
	api.UnimplementedDevicePluginServer
	file, resource string
}

// serve listens at a socket, and registers it with the kubelet.
func serve(p *plugin) error {
	endpoint := strings.ReplaceAll(p.resource, "/", "-") + ".sock"
	socket := filepath.Join(api.DevicePluginPath, endpoint)
	if err := os.RemoveAll(socket); err != nil {
		return err
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	api.RegisterDevicePluginServer(server, p)
	go func() { check(server.Serve(listener)) }()

	connection, err := grpc.NewClient("unix://"+api.KubeletSocket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	request := &api.RegisterRequest{Version: api.Version, Endpoint: endpoint, ResourceName: p.resource}
	_, err = api.NewRegistrationClient(connection).Register(ctx, request, grpc.WaitForReady(true))
	return err
}

func (p *plugin) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{}, nil
}

// ListAndWatch sends the devices, and again after each change of the file.
func (p *plugin) ListAndWatch(_ *api.Empty, stream api.DevicePlugin_ListAndWatchServer) error {
	var sent []bool
	for first := true; ; first = false {
		if now := read(p.file)[p.resource]; first || !reflect.DeepEqual(now, sent) {
			sent = now
			if err := stream.Send(&api.ListAndWatchResponse{Devices: listed(now)}); err != nil {
				return err
			}
		}
		select {
		case <-stream.Context().Done():
			return nil
		case <-time.After(interval):
		}
	}
}

func listed(health []bool) []*api.Device {
	var all []*api.Device
	for index, isHealthy := range health {
		state := api.Unhealthy
		if isHealthy {
			state = api.Healthy
		}
		all = append(all, &api.Device{ID: fmt.Sprint("device-", index), Health: state})
	}
	return all
}

// Allocate gives the names of the devices to the container, in a variable that has the name of the resource.
func (p *plugin) Allocate(_ context.Context, request *api.AllocateRequest) (*api.AllocateResponse, error) {
	name := strings.ToUpper(strings.NewReplacer("/", "_", ".", "_", "-", "_").Replace(p.resource))
	response := &api.AllocateResponse{}
	for _, each := range request.ContainerRequests {
		variables := map[string]string{name: strings.Join(each.DevicesIds, ",")}
		response.ContainerResponses = append(response.ContainerResponses, &api.ContainerAllocateResponse{Envs: variables})
	}
	return response, nil
}

func read(file string) devices {
	text, err := os.ReadFile(file)
	check(err)
	var found devices
	check(json.Unmarshal(text, &found))
	return found
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
