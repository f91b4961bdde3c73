import type { AksNodePoolCapacityType, AksNodePoolHardwareArgs } from "../../clouds/aks/nodes/args";
import type { EksNodePoolCapacityType, EksNodePoolHardwareArgs } from "../../clouds/eks/nodes/args";
import type { GkeNodePoolCapacityType, GkeNodePoolHardwareArgs } from "../../clouds/gke/nodes/args";
import type { MiniClusterArch, NodePoolListPriceArgs } from "../../clouds/nodes/args";

/** An instance type of EC2, and the region that has it. */
export interface LookupEksMachineArgs {
  /** EC2 instance type, such as "c9gn.48xlarge". */
  machineType: string;
  /** Region of the machines. Default: the region of the environment or of the AWS profile. */
  region?: string;
}

/** What EC2 reports of an instance type. */
export interface LookupEksMachineResult {
  /**
   * The value of `hardware` of an EksNodePool. Absent if the tables of this package have the type, and, with a warning, without a response
   * of EC2.
   */
  hardware?: EksNodePoolHardwareArgs;
}

/** The machines of EC2 whose list price is looked up. */
export interface LookupEksPriceArgs {
  /** EC2 instance type, such as "hpc7g.16xlarge". */
  machineType: string;
  /** Region of the machines. Default: the region of the environment or of the AWS profile. */
  region?: string;
  /** Purchase option of the machines. Default: "onDemand". */
  capacityType?: EksNodePoolCapacityType;
}

/** The list price of a machine type. */
export interface LookupPriceResult {
  /** The value of `price` of a pool. Absent, with a warning, without a response or without exactly one price. */
  price?: NodePoolListPriceArgs;
}

/** A VM size of Azure, and the region that has it. */
export interface LookupAksMachineArgs {
  /** VM size, such as "Standard_HB176rs_v4". */
  machineType: string;
  /** Azure region, such as "eastus". */
  location: string;
}

/** What Azure reports of a VM size. */
export interface LookupAksMachineResult {
  /**
   * The value of `hardware` of an AksNodePool. Absent if the tables of this package have the size, and, with a warning, without a response
   * of Azure.
   */
  hardware?: AksNodePoolHardwareArgs;
}

/** The machines of Azure whose list price is looked up. */
export interface LookupAksPriceArgs {
  /** VM size, such as "Standard_HB176rs_v4". */
  machineType: string;
  /** Azure region, such as "eastus". */
  location: string;
  /** Purchase option of the machines. Default: "onDemand". */
  capacityType?: AksNodePoolCapacityType;
  /** Currency, an ISO 4217 code. Default: "USD". */
  currency?: string;
}

/** A machine type of Compute Engine, and the zone that has it. */
export interface LookupGkeMachineArgs {
  /** Machine type, such as "c4d-highcpu-384". */
  machineType: string;
  /** Zone of the machines, such as "us-central1-a". Default: the zone of the environment. */
  zone?: string;
  /** Project id. Default: the project of the environment. */
  project?: string;
  /** Processor architecture, which the API does not report. */
  arch: MiniClusterArch;
  /** Virtual CPUs that share a core, 1 or 2, which the API does not report. */
  threadsPerCore: number;
}

/** The machines of Compute Engine whose list price is looked up. */
export interface LookupGkePriceArgs {
  /** Machine type, such as "h3-standard-88". */
  machineType: string;
  /** Region of the machines, such as "us-central1". Default: the region of the environment. */
  region?: string;
  /** Purchase option of the machines. Default: "onDemand". */
  capacityType?: GkeNodePoolCapacityType;
  /** Currency, an ISO 4217 code. Default: "USD". */
  currency?: string;
}

/** What Compute Engine reports of a machine type. */
export interface LookupGkeMachineResult {
  /**
   * The value of `hardware` of a GkeNodePool. Absent if the tables of this package have the type, and, with a warning, without a response
   * of Compute Engine.
   */
  hardware?: GkeNodePoolHardwareArgs;
}
