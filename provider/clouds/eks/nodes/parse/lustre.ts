/** Machine types of which FSx uses 8 interfaces (FSx for Lustre, "Configuring EFA clients"); of others it uses at most 2. */
const typesWithEight = ["p5.48xlarge", "p5e.48xlarge", "p5en.48xlarge", "p6-b200.48xlarge", "p6e-gb200.36xlarge"];

/**
 * The EFA devices of a machine that Lustre uses, by their index in the order of their names: 8 at equal distances, so that each is on
 * another PCI bus, or the first and the last one.
 */
export function lustreDevices(machineType: string | undefined, interfaces: number): number[] {
  if (machineType !== undefined && typesWithEight.includes(machineType))
    return Array.from({ length: 8 }, (_, index) => (index * interfaces) / 8);
  return interfaces > 1 ? [0, interfaces - 1] : [0];
}

const program = "/usr/local/sbin/minicluster-lustre-efa";

const unit = "minicluster-lustre-efa.service";

/**
 * Script that configures LNet for EFA, with the commands and the credits of EKS's page "Optimize Amazon FSx for Lustre performance on
 * nodes (EFA)". The kernel of Amazon Linux 2023 has the modules, and its repository the tools. Cloud-init runs a script only at the first
 * boot, so a service configures LNet, also after a reboot and from a warm pool, before nodeadm joins the EKS cluster.
 */
export const lustreScript = (devices: number[]) => `#!/bin/bash
set -euo pipefail
dnf install -y lustre-client
cat >${program} <<'END'
#!/bin/bash
set -euo pipefail
ethernet=$(ip -o -4 route show default | awk 'NR == 1 { print $5 }')
cd /sys/class/infiniband
devices=(*)
modprobe lnet
modprobe kefalnd ipif_name="$ethernet"
modprobe ksocklnd
lnetctl lnet configure
lnetctl net del --net tcp || true
lnetctl net add --net tcp --if "$ethernet"
for index in ${devices.join(" ")}; do
  lnetctl net add --net efa --if "\${devices[index]}" --peer-credits 32
done
lnetctl set discovery 1
lnetctl udsp add --src efa --priority 0
modprobe lustre
END
chmod 755 ${program}
cat >/etc/systemd/system/${unit} <<'END'
[Unit]
Description=LNet of Lustre over EFA
Wants=network-online.target
After=network-online.target
Before=nodeadm-run.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${program}
[Install]
WantedBy=multi-user.target
END
systemctl daemon-reload
systemctl enable --now ${unit}
`;
