"""Jobs."""

from flux import state


class Job:
    def __init__(self, given):
        self.__dict__.update({"queue": "", "priority": 16, "ranks": "", "nnodes": "", "ncores": "", "ntasks": 1, **given})
        self.id = JobID(given["id"])


class JobID(str):
    @property
    def f58(self):
        return str(self)

    def __int__(self):
        return int(self[1:])


class JobList:
    def __init__(self, _handle, attrs, filters, user, max_entries):
        assert (filters, user) == (["pending", "running"], "all")
        self.most = max_entries

    def jobs(self):
        return [Job(given) for given in state()["jobs"]][: self.most]


def job_kvs_lookup(_handle, jobid, keys):
    assert keys == ["jobspec"]
    job = next(job for job in state()["jobs"] if job["id"] == f"f{jobid}")
    clusters = job.get("on") or ([job["queue"]] if job.get("queue") else [])
    constraints = {"constraints": {"properties": clusters}} if clusters else {}
    return {"jobspec": {"resources": job.get("resources", []), "attributes": {"system": constraints}}}
