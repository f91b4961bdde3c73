import { isObject, type Json, type Obj } from "../../rpc/values";
import { type CloudFunction, text } from "../cloud";
import { describeInstanceType, instanceTypes } from "./awsInstanceTypes";
import { regionOf } from "./awsRegion";

const getInstanceType: CloudFunction = (args, config) => {
  const name = text(args.instanceType);
  const type = instanceTypes[name];
  if (!type)
    throw new Error(
      `reading EC2 Instance Type (${name}): operation error EC2: DescribeInstanceTypes, https response error ` +
        `StatusCode: 400, api error InvalidInstanceType: The following supplied instance types do not exist: [${name}]`,
    );
  return { ...describeInstanceType(name, type), region: regionOf(args, config) };
};

/** Subnets are called after their zones: `subnet-a1` is in the zone whose letter is the last one of its name. */
const getSubnet: CloudFunction = (args, config) => {
  const id = text(args.id);
  const [, letter] = /^subnet-.*?([a-f])\d+$/.exec(id) ?? [];
  const region = regionOf(args, config);
  if (letter === undefined)
    throw new Error(
      `reading EC2 Subnet: operation error EC2: DescribeSubnets, https response error StatusCode: 400, api error ` +
        `InvalidSubnetID.NotFound: The subnet ID '${id}' does not exist`,
    );
  return {
    id,
    region,
    arn: `arn:aws:ec2:${region}:123456789012:subnet/${id}`,
    availabilityZone: region + letter,
    availabilityZoneId: `use1-az${letter.charCodeAt(0) - 96}`,
    availableIpAddressCount: 4091,
    cidrBlock: "10.0.0.0/20",
    ownerId: "123456789012",
    state: "available",
    vpcId: "vpc-1",
  };
};

const getCluster: CloudFunction = (args, config) => {
  const name = text(args.name);
  if (name.startsWith("missing")) throw new Error(`reading EKS Cluster (${name}): couldn't find resource`);
  const region = regionOf(args, config);
  return {
    id: name,
    name,
    region,
    arn: `arn:aws:eks:${region}:123456789012:cluster/${name}`,
    version: "1.34",
    platformVersion: "eks.9",
    status: "ACTIVE",
    endpoint: `https://${name}.gr7.${region}.eks.amazonaws.com`,
    roleArn: "arn:aws:iam::123456789012:role/cluster",
    certificateAuthorities: [{ data: "LS0tLS1CRUdJTg==" }],
    kubernetesNetworkConfigs: [{ ipFamily: "ipv4", serviceIpv4Cidr: "172.20.0.0/16", serviceIpv6Cidr: "" }],
    vpcConfig: {
      clusterSecurityGroupId: "sg-cluster",
      endpointPrivateAccess: true,
      endpointPublicAccess: true,
      publicAccessCidrs: ["0.0.0.0/0"],
      securityGroupIds: [],
      subnetIds: ["subnet-a1", "subnet-b1", "subnet-c1"],
      vpcId: "vpc-1",
    },
  };
};

const getInstanceTypeOfferings: CloudFunction = (args, config) => {
  const region = regionOf(args, config);
  const locationType = text(args.locationType, "region");
  if (locationType !== "region" && locationType !== "availability-zone")
    throw new Error(`this stand-in has no offerings by ${locationType}`);
  const wanted = filters(args.filters);
  // Types of the product's tables that this stand-in does not describe are offered in every zone.
  const others = (wanted["instance-type"] ?? []).map((type) => text(type)).filter((type) => !instanceTypes[type]);
  const all = [...Object.entries(instanceTypes), ...others.map((type) => [type, { zones: "abc" }] as const)];
  const offerings = all.flatMap(([type, { zones }]) =>
    locationType === "region" ? [{ type, location: region }] : [...zones].map((z) => ({ type, location: region + z })),
  );
  const found = offerings.filter(
    ({ type, location }) =>
      (wanted["instance-type"]?.includes(type) ?? true) && (wanted.location?.includes(location) ?? true),
  );
  return {
    ...(args.filters !== undefined && { filters: args.filters }),
    ...(args.locationType !== undefined && { locationType }),
    id: region,
    region,
    instanceTypes: found.map(({ type }) => type),
    locations: found.map(({ location }) => location),
    locationTypes: found.map(() => locationType),
  };
};

/** The values to look for, by the name of the filter. */
function filters(given: Json | undefined): Record<string, Json[] | undefined> {
  const entries = (Array.isArray(given) ? given.filter(isObject) : []).map((filter: Obj): [string, Json[]] => {
    const [name, values] = [text(filter.name), filter.values];
    const isKnown = name === "instance-type" || name === "location";
    if (!isKnown || !Array.isArray(values) || values.some((value) => text(value).includes("*")))
      throw new Error(`this stand-in cannot filter offerings by ${JSON.stringify(filter)}`);
    return [name, values];
  });
  return Object.fromEntries(entries);
}

const getRegion: CloudFunction = (args, config) => {
  const region = regionOf(args, config);
  return { id: region, region, name: region, description: region, endpoint: `ec2.${region}.amazonaws.com` };
};

/** Prices per hour in US dollars of Linux on demand in us-east-1, as in the AWS Price List. */
const onDemandPrices: Record<string, string> = { "c7i.24xlarge": "4.2840000000", "p5.48xlarge": "55.0400000000" };

/** The product of an instance type in the Price List, which the data source fails to find by any other attributes. */
const getProduct: CloudFunction = (args) => {
  const fields = (Array.isArray(args.filters) ? args.filters.filter(isObject) : []).map(({ field, value }) => [
    text(field),
    text(value),
  ]);
  const { instanceType = "", regionCode } = Object.fromEntries(fields) as Record<string, string>;
  const price = regionCode === "us-east-1" ? onDemandPrices[instanceType] : undefined;
  if (price === undefined) throw new Error("Pricing product query did not return any elements");
  const dimension = { unit: "Hrs", beginRange: "0", endRange: "Inf", pricePerUnit: { USD: price } };
  const product = { terms: { OnDemand: { "A.JRTC": { priceDimensions: { "A.JRTC.6YS6": dimension } } } } };
  return { ...args, id: "1", result: JSON.stringify(product) };
};

export const awsFunctions: Record<string, CloudFunction> = {
  "aws:ec2/getInstanceType:getInstanceType": getInstanceType,
  "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings": getInstanceTypeOfferings,
  "aws:ec2/getSubnet:getSubnet": getSubnet,
  "aws:eks/getCluster:getCluster": getCluster,
  "aws:index/getRegion:getRegion": getRegion,
  "aws:pricing/getProduct:getProduct": getProduct,
};
