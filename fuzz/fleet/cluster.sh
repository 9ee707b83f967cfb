# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by fleet_test.sh: a Slurm cluster of one controller and two nodes, all on this machine's loopback. Everything it
# needs lies in one folder: configuration, key, socket, state, logs. Each node is a process namespace of its own, so that
# killing its first process takes all it runs away at once, as a power cut does. Needs root.

# cluster_port prints a TCP port that nobody listens on.
cluster_port() {
    local port
    for ((port = 20000 + RANDOM % 20000; ; port++)); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    echo "$port"
}

# cluster_configure DIR writes the files.
cluster_configure() {
    local dir=$1 host control
    host=$(hostname -s)
    control=$(cluster_port)
    mkdir -p "$dir"/{munge,state,spool-a,spool-b,log}
    chmod 755 "$dir" "$dir/munge"
    (umask 077 && head -c 128 /dev/urandom >"$dir/munge/key")
    # Slurm's lists of unreachable peers and credentials that last for minutes are for large clusters: here a dead node is
    # known as one in seconds, and its task may begin again at once.
    cat >"$dir/slurm.conf" <<CONF
ClusterName=fleet
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$control
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool-%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmctldLogFile=$dir/log/slurmctld
SlurmdLogFile=$dir/log/slurmd-%n
SlurmdTimeout=10
KillWait=5
ReturnToService=0
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=1,sched_interval=2
SelectType=select/linear
MailProg=/bin/true
PlugStackConfig=$dir/plugstack.conf
NodeName=a NodeHostname=$host NodeAddr=127.0.0.1 Port=$(cluster_port) CPUs=1 State=UNKNOWN
NodeName=b NodeHostname=$host NodeAddr=127.0.0.1 Port=$(cluster_port) CPUs=1 State=UNKNOWN
PartitionName=fuzz Nodes=a,b Default=YES MaxTime=INFINITE State=UP
CONF
    : >"$dir/plugstack.conf"
    export SLURM_CONF=$dir/slurm.conf
}

# cluster_node DIR NAME starts a node; its process is what kills it.
cluster_node() {
    unshare --pid --fork --kill-child --mount-proc slurmd -D -f "$1/slurm.conf" -N "$2" >"$1/log/out-$2" 2>&1 </dev/null &
    node[$2]=$!
}

# cluster_start DIR starts all of it, and fails with the logs' ends where it does not come up.
cluster_start() {
    local dir=$1 tries
    munged --foreground --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
        --log-file="$dir/log/munged" --seed-file="$dir/munge/seed" --num-threads=1 --force >"$dir/log/out-munged" 2>&1 &
    daemons+=($!)
    for ((tries = 0; tries < 100; tries++)); do
        [[ ! -S $dir/munge/socket ]] || break
        sleep 0.1
    done
    slurmctld -D -f "$dir/slurm.conf" >"$dir/log/out-slurmctld" 2>&1 </dev/null &
    daemons+=($!)
    cluster_node "$dir" a
    cluster_node "$dir" b
    for ((tries = 0; tries < 60; tries++)); do
        [[ $(sinfo --noheader --Node --states=idle --format=%N 2>/dev/null | wc -l) != 2 ]] || return 0
        sleep 1
    done
    sinfo -N -l >&2 || true
    tail -n 5 "$dir"/log/* >&2
    return 1
}

# cluster_kill NAME takes a node away: the first process of its namespace, and so all the others.
cluster_kill() {
    pkill -KILL -P "${node[$1]}" || true
    wait "${node[$1]}" 2>/dev/null || true
    unset "node[$1]"
}

# cluster_stop ends what was started.
cluster_stop() {
    local name
    for name in "${!node[@]}"; do
        cluster_kill "$name"
    done
    ((${#daemons[@]} == 0)) || kill -TERM "${daemons[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
}

declare -A node=()
daemons=()
