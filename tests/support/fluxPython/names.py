"""Lists names of Flux's bindings that a program uses and that their package does not have. It runs neither."""

import ast
import os
import sys
from pathlib import Path

package, program = sys.argv[1], ast.parse(Path(sys.argv[2]).read_text())


def read(module):
    path = os.path.join(package, *module.split("."))
    for file in (path + ".py", os.path.join(path, "__init__.py")):
        if os.path.exists(file):
            with open(file, encoding="utf-8") as source:
                return ast.parse(source.read())
    return None


def find(module, name):
    """The definition of a name of a module, wherever it is imported from."""
    for node in read(module).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            return node
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            return node
        if isinstance(node, ast.ImportFrom) and any((a.asname or a.name) == name for a in node.names):
            return find(node.module, name)
    return None


def parameters(found):
    if isinstance(found, ast.ClassDef):
        found = next((n for n in found.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
    return {a.arg for a in found.args.args + found.args.kwonlyargs} if found else set()


def members(module, name):
    """Names of what a class has: methods, attributes, and texts by which it makes some."""
    found = set()
    for node in ast.walk(find(module, name)):
        found |= {node.name} if isinstance(node, ast.FunctionDef) else set()
        found |= {node.attr} if isinstance(node, ast.Attribute) else set()
        found |= {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()
    return found


wrong, imported = [], {}
for node in ast.walk(program):
    if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "flux":
        imported.update({a.name: (node.module, a.name) for a in node.names})
imported["Flux"] = ("flux", "Flux")
for module, name in imported.values():
    if find(module, name) is None:
        wrong.append(f"{module} has no {name}")

known = {"Flux"}.union(*(dir(kind) for kind in (str, bytes, dict, list, set, int, float)))
for module, name in [
    ("flux.resource.ResourceSet", "ResourceSet"),
    ("flux.resource.list", "SchedResourceList"),
    ("flux.resource.list", "ResourceListRPC"),
    ("flux.resource.status", "ResourceStatus"),
    ("flux.job.list", "JobList"),
    ("flux.job.info", "JobInfo"),
    ("flux.job.JobID", "JobID"),
]:
    known |= members(module, name)

for function in program.body:
    if not isinstance(function, ast.FunctionDef):
        continue
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", None)
            if called in imported:
                for keyword in node.keywords:
                    if keyword.arg not in parameters(find(*imported[called])):
                        wrong.append(f"{called} takes no {keyword.arg}")
        if function.name in sys.argv[3:] and isinstance(node, ast.Attribute) and node.attr not in known:
            wrong.append(f"{function.name}: nothing has {node.attr}")
print("\n".join(wrong))
