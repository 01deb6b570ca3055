#include "tests/device/simulator/reference/differential.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "device/simulator/run/launch.hpp"
#include "tests/device/simulator/reference/interpreter.hpp"

namespace warpbook::device::tests::reference {
namespace {

Properties gpu() {
  Properties p;
  p.name = "test";
  p.compute_capability = 90;
  p.multiprocessors = 4;
  p.max_threads_per_multiprocessor = 2048;
  p.shared_per_block_optin = 232448;
  p.global_bytes = std::uint64_t{1} << 24;
  return p;
}

struct Way {
  const char* name;
  HandlerSet handlers;
  std::uint32_t host_threads;
  bool check;
  std::uint64_t seed;
};

/// What a run left behind.
struct Outcome {
  std::vector<std::uint8_t> out, accumulators;
  LaunchRecord record;
  std::string error;
};

/// A program loaded for one set of handlers, with its buffers.
class Bench {
 public:
  Bench(const Program& program, HandlerSet handlers) : program_(program) {
    auto module = ptx::parse(program.ptx, "fuzz.ptx");
    if (!module) {
      error = module.error().english();
      return;
    }
    auto loaded = load_module(std::move(*module), gpu(), memory_, handlers);
    if (!loaded) {
      error = loaded.error().english();
      return;
    }
    image_ = *loaded;
    in = *memory_->allocate("in", ElementType::u8, program.in.size());
    out = *memory_->allocate("out", ElementType::u8, program.out.size());
    accumulators = *memory_->allocate("acc", ElementType::u8, program.accumulators.size());
    parameters.resize(56);
    const auto put = [&](std::size_t at, const void* from, std::size_t bytes) {
      std::memcpy(parameters.data() + at, from, bytes);
    };
    put(0, &in, 8);
    put(8, &out, 8);
    put(16, &accumulators, 8);
    put(24, &program.a, 4);
    put(28, &program.f, 4);
    put(32, program.s.data(), 24);
  }

  Outcome run(const Way& way) {
    Outcome o;
    const auto write = [&](Pointer to, const std::vector<std::uint8_t>& bytes) {
      (void)memory_->write(to, std::as_bytes(std::span(bytes)));
    };
    write(in, program_.in);
    write(out, program_.out);
    write(accumulators, program_.accumulators);
    RunRequest request;
    request.module = image_;
    request.kernel = "k";
    request.grid = program_.grid;
    request.block = program_.block;
    request.parameters = parameters;
    request.observe.initcheck = way.check;
    request.observe.trace_accesses = way.check ? 64 : 0;
    request.budget.thread_instructions = 20'000'000;
    request.host_threads = way.host_threads;
    request.seed = way.seed;
    auto record = warpbook::device::run(request);
    if (!record) {
      o.error = record.error().english();
      return o;
    }
    o.record = std::move(*record);
    // Programs may shuffle the values of lanes that take no part, which engine and reference take for 0. initcheck tells, at
    // the shuffle or where such a value is read back from shared memory.
    const bool shuffles = program_.ptx.find("shfl.") != std::string::npos;
    const auto of_shuffle = [](ErrorCode code) {
      return code == ErrorCode::missing_lane || code == ErrorCode::uninitialised_read;
    };
    if (o.record.error && !(shuffles && of_shuffle(o.record.error->code)))
      o.error = o.record.error->english();
    const auto read = [&](Pointer from, std::vector<std::uint8_t>& to, std::size_t bytes) {
      to.resize(bytes);
      (void)memory_->read(from, std::as_writable_bytes(std::span(to)));
    };
    read(out, o.out, program_.out.size());
    read(accumulators, o.accumulators, program_.accumulators.size());
    return o;
  }

  [[nodiscard]] std::optional<Pointer> variable(std::string_view name) const {
    auto info = image_->global(name);
    return info ? std::optional(info->address) : std::nullopt;
  }

  std::string error;
  Pointer in = 0, out = 0, accumulators = 0;
  std::vector<std::byte> parameters;

 private:
  const Program& program_;
  std::shared_ptr<GlobalMemory> memory_ = std::make_shared<GlobalMemory>(std::uint64_t{1} << 24);
  std::shared_ptr<const LoadedModule> image_;
};

std::string bytes_differ(const char* what, const std::vector<std::uint8_t>& a,
                         const std::vector<std::uint8_t>& b) {
  for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) {
    if (a[k] == b[k]) continue;
    std::uint64_t x = 0, y = 0;
    const std::size_t from = k / 8 * 8;
    std::memcpy(&x, a.data() + from, 8);
    std::memcpy(&y, b.data() + from, 8);
    return fmt::format("{} byte {} (thread {}, offset {}): {:#018x} and {:#018x}", what, k,
                       k / kSlotBytes, k % kSlotBytes, x, y);
  }
  return a.size() == b.size() ? "" : fmt::format("{} sizes", what);
}

std::string counters_differ(const Counters& a, const Counters& b, bool in_step) {
  if (!in_step)
    return a.thread_instructions == b.thread_instructions
               ? ""
               : fmt::format("thread_instructions {} and {}", a.thread_instructions,
                             b.thread_instructions);
  std::vector<std::pair<std::string_view, std::uint64_t>> left;
  for_each_counter(a, [&](std::string_view name, std::uint64_t v) { left.emplace_back(name, v); });
  std::string out;
  std::size_t k = 0;
  for_each_counter(b, [&](std::string_view name, std::uint64_t v) {
    if (left[k++].second != v && out.empty())
      out = fmt::format("{} {} and {}", name, left[k - 1].second, v);
  });
  return out;
}

std::string instructions_differ(const LaunchRecord& a, const LaunchRecord& b, bool in_step) {
  for (std::size_t k = 0; k < a.instructions.size() && k < b.instructions.size(); ++k) {
    const std::string d =
        counters_differ(a.instructions[k].counters, b.instructions[k].counters, in_step);
    if (!d.empty())
      return fmt::format("at line {} \"{}\": {}", a.instructions[k].ptx_line,
                         a.instructions[k].text, d);
  }
  if (!in_step) return "";
  if (a.lines != b.lines) return "counters by line of the source";
  return counters_differ(a.total, b.total, true);
}

/// What the hardware would issue is foretold from the text, which the reference does not read so: each request is issued
/// once, or with another.
std::string differs_from_reference(Counters engine, const Counters* reference, bool in_step) {
  if (engine.issued_global_loads + engine.issued_global_stores > engine.global_requests ||
      engine.issued_shared_loads + engine.issued_shared_stores > engine.shared_requests)
    return "more accesses issued than requests";
  engine.issued_global_loads = engine.issued_global_stores = 0;
  engine.issued_shared_loads = engine.issued_shared_stores = 0;
  return counters_differ(engine, reference ? *reference : Counters(), in_step);
}

std::string against_reference(const Program& program, const Bench& bench, const Outcome& engine) {
  auto module = ptx::parse(program.ptx, "fuzz.ptx");
  Request request;
  request.module = &*module;
  request.grid = program.grid;
  request.block = program.block;
  request.parameters = bench.parameters;
  request.memory = {
      {bench.in, program.in}, {bench.out, program.out}, {bench.accumulators, program.accumulators}};
  for (const ptx::Variable& v : module->variables) {
    if (const auto at = bench.variable(v.name)) request.variables[v.name] = *at;
  }
  const Result r = interpret(request);
  if (!r.error.empty()) return "invalid: the reference: " + r.error;
  std::string d = bytes_differ("out", engine.out, r.memory[1].bytes);
  if (d.empty()) d = bytes_differ("acc", engine.accumulators, r.memory[2].bytes);
  if (!d.empty()) return d;
  std::map<std::uint32_t, Counters> lines;
  for (const InstructionCounters& i : engine.record.instructions) {
    const auto found = r.instructions.find(i.ptx_line);
    d = differs_from_reference(i.counters, found == r.instructions.end() ? nullptr : &found->second,
                               r.in_step);
    if (!d.empty()) return fmt::format("at line {} \"{}\": {}", i.ptx_line, i.text, d);
  }
  if (!r.in_step) return "";
  for (const LineCounters& l : engine.record.lines) {
    if (l.file != "k.cu") continue;
    const auto found = r.lines.find(l.line);
    d = differs_from_reference(l.counters, found == r.lines.end() ? nullptr : &found->second, true);
    if (!d.empty()) return fmt::format("source line {}: {}", l.line, d);
  }
  return differs_from_reference(engine.record.total, &r.total, true);
}

std::string differences(const Program& program, std::uint64_t seed) {
  Bench plain(program, HandlerSet::sse2);
  if (!plain.error.empty()) return "invalid: " + plain.error;
  const Outcome first = plain.run({"SSE2", HandlerSet::sse2, 1, false, 0});
  if (!first.error.empty()) return "invalid: the engine: " + first.error;
  if (!program.approximate) {
    const std::string d = against_reference(program, plain, first);
    if (!d.empty()) return d.starts_with("invalid") ? d : "engine and reference: " + d;
  }
  Bench fast(program, HandlerSet::avx2);  // on a processor without AVX2 the same as the other
  const Way ways[] = {
      {"AVX2, checking", HandlerSet::avx2, 1, true, 0},
      {"AVX2, three host threads", HandlerSet::avx2, 3, false, 0},
      {"SSE2, checking, two host threads", HandlerSet::sse2, 2, true, 0},
      {"AVX2, another order", HandlerSet::avx2, 1, true, seed | 1},
  };
  for (const Way& way : ways) {
    const Outcome o = (way.handlers == HandlerSet::sse2 ? plain : fast).run(way);
    std::string d = o.error.empty() ? "" : "error: " + o.error;
    if (d.empty()) d = bytes_differ("out", first.out, o.out);
    if (d.empty()) d = bytes_differ("acc", first.accumulators, o.accumulators);
    if (d.empty()) d = instructions_differ(first.record, o.record, way.seed == 0);
    if (!d.empty()) return fmt::format("SSE2 and {}: {}", way.name, d);
  }
  return "";
}

}  // namespace

std::string difference(const Program& program, std::uint64_t seed) {
  return differences(program, seed);
}

Program minimised(Program program, std::uint64_t seed) {
  const auto lines_of = [](const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      lines.push_back(text.substr(at, end - at + 1));
      at = end + 1;
    }
    return lines;
  };
  // What is deleted must not bring another difference in the first one's place.
  const auto kind_of = [](const std::string& d) {
    return d.substr(0, std::min(d.find(" byte "), d.find(" line ")));
  };
  const std::string kind = kind_of(difference(program, seed));
  const auto still = [&](const Program& p) { return kind_of(difference(p, seed)) == kind; };
  std::vector<std::string> lines = lines_of(program.ptx);
  bool smaller = true;
  for (std::size_t size = lines.size() / 2; size >= 1; size = smaller && size == 1 ? 1 : size / 2) {
    smaller = false;
    for (std::size_t at = 0; at + size <= lines.size();) {
      Program tried = program;
      tried.ptx.clear();
      for (std::size_t k = 0; k < lines.size(); ++k) {
        if (k < at || k >= at + size) tried.ptx += lines[k];
      }
      if (still(tried)) {
        program = tried;
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at),
                    lines.begin() + static_cast<std::ptrdiff_t>(at + size));
        smaller = true;
      } else {
        at += size;
      }
    }
    if (size == 1 && !smaller) break;
  }
  return program;
}

}  // namespace warpbook::device::tests::reference
