#include "device/compiler/messages.hpp"

#include "device/worker/wire.hpp"

namespace warpbook::device {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

void put_texts(WireWriter& w, const std::vector<std::string>& texts) {
  w.put(std::uint64_t{texts.size()});
  for (const std::string& text : texts) w.put(text);
}

std::vector<std::string> get_texts(WireReader& r) {
  std::vector<std::string> texts(r.get_count(8));
  for (std::string& text : texts) text = r.get_text();
  return texts;
}

void put_pairs(WireWriter& w, const Pairs& pairs) {
  w.put(std::uint64_t{pairs.size()});
  for (const auto& [first, second] : pairs) w.put(first).put(second);
}

Pairs get_pairs(WireReader& r) {
  Pairs pairs(r.get_count(16));
  for (auto& [first, second] : pairs) {
    first = r.get_text();
    second = r.get_text();
  }
  return pairs;
}

}  // namespace

std::string to_bytes(const WorkerHello& hello) {
  WireWriter w;
  w.put(hello.toolkit.library.native()).put(hello.toolkit.builtins.native());
  w.put(std::uint64_t{hello.toolkit.includes.size()});
  for (const auto& folder : hello.toolkit.includes) w.put(folder.native());
  w.put(hello.highest_rung).put(hello.limits.memory_bytes).put(hello.limits.file_bytes);
  w.put(hello.limits.processor_seconds);
  return w.take();
}

std::optional<WorkerHello> hello_from(std::string_view bytes) {
  WireReader r(bytes);
  WorkerHello hello;
  hello.toolkit.library = r.get_text();
  hello.toolkit.builtins = r.get_text();
  for (const std::string& folder : get_texts(r)) hello.toolkit.includes.emplace_back(folder);
  hello.highest_rung = r.get<BoxRung>();
  hello.limits.memory_bytes = r.get<std::uint64_t>();
  hello.limits.file_bytes = r.get<std::uint64_t>();
  hello.limits.processor_seconds = r.get<std::uint32_t>();
  return if_whole(r, std::move(hello));
}

std::string to_bytes(const WorkerReady& ready) {
  WireWriter w;
  w.put(ready.missing).put(ready.version).put(ready.release);
  w.put(std::uint64_t{ready.architectures.size()});
  for (const int architecture : ready.architectures) w.put(architecture);
  w.put(ready.rung).put(ready.why_not_higher);
  return w.take();
}

std::optional<WorkerReady> ready_from(std::string_view bytes) {
  WireReader r(bytes);
  WorkerReady ready;
  ready.missing = r.get_text();
  ready.version = r.get_text();
  ready.release = r.get_text();
  ready.architectures.resize(r.get_count(sizeof(int)));
  for (int& architecture : ready.architectures) architecture = r.get<int>();
  ready.rung = r.get<BoxRung>();
  ready.why_not_higher = r.get_text();
  return if_whole(r, std::move(ready));
}

std::string to_bytes(const CompileDone& done) {
  WireWriter w;
  w.put(done.id).put(done.end).put(done.detail).put(done.seconds);
  return w.take();
}

std::optional<CompileDone> done_from(std::string_view bytes) {
  WireReader r(bytes);
  CompileDone done;
  done.id = r.get<std::uint64_t>();
  done.end = r.get<CompileEnd>();
  done.detail = r.get_text();
  done.seconds = r.get<double>();
  return if_whole(r, std::move(done));
}

std::string to_bytes(const CompileRequest& request) {
  WireWriter w;
  w.put(request.name).put(request.source).put(request.architecture);
  w.put(request.cubin).put(request.line_info).put(request.fmad).put(request.debug);
  w.put(request.foreign).put(request.kernel).put(request.default_device);
  put_pairs(w, request.defines);
  put_texts(w, request.name_expressions);
  return w.take();
}

std::optional<CompileRequest> request_from(std::string_view bytes) {
  WireReader r(bytes);
  CompileRequest request;
  request.name = r.get_text();
  request.source = r.get_text();
  request.architecture = r.get<int>();
  request.cubin = r.get<bool>();
  request.line_info = r.get<bool>();
  request.fmad = r.get<bool>();
  request.debug = r.get<bool>();
  request.foreign = r.get<bool>();
  request.kernel = r.get_text();
  request.default_device = r.get<bool>();
  request.defines = get_pairs(r);
  request.name_expressions = get_texts(r);
  return if_whole(r, std::move(request));
}

std::string to_bytes(const NvrtcResult& result) {
  WireWriter w;
  w.put(result.code).put(result.error).put(result.log).put(result.ptx).put(result.cubin);
  put_pairs(w, result.lowered);
  return w.take();
}

std::optional<NvrtcResult> result_from(std::string_view bytes) {
  WireReader r(bytes);
  NvrtcResult result;
  result.code = r.get<int>();
  result.error = r.get_text();
  result.log = r.get_text();
  result.ptx = r.get_text();
  result.cubin = r.get_text();
  result.lowered = get_pairs(r);
  return if_whole(r, std::move(result));
}

std::string to_bytes(const Program& program) {
  WireWriter w;
  w.put(program.name).put(program.source).put(program.architecture).put(program.ptx);
  w.put(
      std::string_view(reinterpret_cast<const char*>(program.cubin.data()), program.cubin.size()));
  w.put(std::uint64_t{program.diagnostics.size()});
  for (const Diagnostic& d : program.diagnostics) {
    w.put(d.place.file).put(d.place.line).put(d.place.column).put(d.severity).put(d.text);
  }
  put_pairs(w, program.lowered);
  w.put(program.nvrtc).put(program.seconds);
  return w.take();
}

std::optional<Program> program_from(std::string_view bytes) {
  WireReader r(bytes);
  Program program;
  program.name = r.get_text();
  program.source = r.get_text();
  program.architecture = r.get<int>();
  program.ptx = r.get_text();
  const std::string cubin = r.get_text();
  program.cubin.assign(cubin.begin(), cubin.end());
  program.diagnostics.resize(r.get_count(25));
  for (Diagnostic& d : program.diagnostics) {
    d.place.file = r.get_text();
    d.place.line = r.get<std::uint32_t>();
    d.place.column = r.get<std::uint32_t>();
    d.severity = r.get<Severity>();
    d.text = r.get_text();
  }
  program.lowered = get_pairs(r);
  program.nvrtc = r.get_text();
  program.seconds = r.get<double>();
  return if_whole(r, std::move(program));
}

}  // namespace warpbook::device
