"""The files of a program."""

from core.programs import files, planning


def test_reads_data_beside_a_module():
    assert files.data_of(planning.__name__, "signing.py").startswith('"""Signatures with which the agent')


def test_reads_other_contents_after_a_file_is_changed_created_or_deleted(tmp_path):
    settings, program = tmp_path / "lead.json", tmp_path / "lead.pyz"
    program.write_bytes(b"\x80")
    first = files.read_files(program, settings)
    assert first == {program: b"\x80"}
    settings.write_text("{}")
    second = files.read_files(program, settings)
    program.write_bytes(b"\x81")
    third = files.read_files(program, settings)
    program.unlink()
    assert len({str(one) for one in (first, second, third, files.read_files(program, settings))}) == 4
