#include "tests/gui/made_up.hpp"

#include <cstring>
#include <stdexcept>

namespace warpbook::gui::made_up {
namespace {
constexpr const char* kText = R"(# Made up

```step
name = "ask"
```

A kernel is one function that **many threads** run at once. Its guard `if (i < n)` keeps the *extra* ones away; see
[the docs](https://docs.nvidia.com). With `@n` and `@block` there are `=threads` threads.

```predict
id = "threads"
question = "With n = 10 and blocks of 4, how many threads start?"
answer = "threads"
set = { n = "10", block = "4" }
rests_on_gpu = true
veils = ["wires", "geometry", "=threads"]
right = "10 / 4 rounds up to 3 blocks, and 3 blocks of 4 are 12."

[[choice]]
text = "10"
value = "10"
misconception = "threads-are-n"
set = { n = "10", block = "4" }
why = "Then the last block would have two threads."

[[choice]]
text = "12"
value = "12"

[[choice]]
text = "16"
value = "16"
misconception = "threads-are-n"
set = { n = "10", block = "4" }
why = "Then there would be a fourth block: the run has `=threads` threads."
```

```step
name = "explain"
```

```index
formula = "i = blockIdx.x * blockDim.x + threadIdx.x"
```

- one
- two, with `code`

```cuda
__global__ void add(const int* x) {
  atomicAdd(x, 1);  // one
}
```

> **Often written, not so.** "A kernel is called once for each element."

```term
id = "kernel"
name = "kernel"
meaning = "A function marked `__global__`."
opencl = "kernel"
```

```step
name = "change"
```

```try
text = "Ten elements in blocks of four"
set = { n = "10", block = "4" }
```

```exhibit
id = "words"
```

```step
name = "compare"
```

```compare
exhibits = ["out", "time"]

[[variant]]
label = "Blocks of 4"
set = { n = "8", block = "4" }

[[variant]]
label = "Blocks of 8"
set = { n = "8", block = "8" }
```
)";

lab::TensorExhibit tensor(std::string name, const std::vector<std::int32_t>& values) {
  lab::TensorExhibit made{std::move(name), device::ElementType::i32, {values.size()}, {}, {}};
  made.data.resize(values.size() * sizeof(std::int32_t));
  std::memcpy(made.data.data(), values.data(), made.data.size());
  return made;
}

/// Three instructions: of the PTX lines 4 and 5, which stem from line 3, and one that stems from none.
device::Sass machine_code(std::int64_t n) {
  device::Sass made{90, "nvdisasm", {}, {{"_Z3addPi", "add", true, {}}}};
  const auto runs = static_cast<double>(n);
  made.functions[0].instructions = {{0, "LDG.E R2, [R4.64]", 4, 3, 2, 0, 1, 7, runs},
                                    {16, "@P0 STG.E [R6.64], R2", 5, 3, 4, 0b10, 7, 0, runs},
                                    {32, "EXIT", 0, 0, 5, 0, 7, 7, 1}};
  return made;
}
}  // namespace

void run(lab::Lab& lab) {
  const std::int64_t n = lab.integer("n"), block = lab.integer("block"),
                     grid = (n + block - 1) / block;
  const std::string source = lab.source("add");
  const bool guarded = source.find("if (i < n)") != std::string::npos;
  std::vector<std::int32_t> x(static_cast<std::size_t>(n)), y(x.size()), out(x.size());
  lab::AccessesExhibit accesses;
  accesses.grid.x = static_cast<std::uint32_t>(grid);
  accesses.block.x = static_cast<std::uint32_t>(block);
  lab::GeometryExhibit geometry{
      "add", accesses.grid, accesses.block, static_cast<std::uint64_t>(grid * block), 0, true};
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<std::int32_t>(i) + 1;
    y[i] = static_cast<std::int32_t>(i) + 5;
  }
  for (std::int64_t t = 0; t < grid * block; ++t) {
    const auto b = static_cast<std::uint32_t>(t / block),
               lane = static_cast<std::uint32_t>(t % block);
    if (t >= n && guarded) {
      ++geometry.idle;
      continue;
    }
    accesses.wires.push_back({b, lane, 0, t, device::AccessKind::load, 3});
    accesses.wires.push_back({b, lane, 1, t, device::AccessKind::load, 3});
    accesses.wires.push_back({b, lane, 2, t, device::AccessKind::store, 3});
    if (t < n)
      out[static_cast<std::size_t>(t)] =
          x[static_cast<std::size_t>(t)] + y[static_cast<std::size_t>(t)];
  }
  accesses.arrays = {{tensor("x", x), false}, {tensor("y", y), false}, {tensor("out", out), true}};
  const device::Evidence counted{
      device::EvidenceKind::counted, {"phrase.device.simulated", {{"gpu", "H200"}}, {}}, {}};
  const device::Evidence measured{
      device::EvidenceKind::measured, lab::Message::plain("this CPU"), {}};
  lab::SourceExhibit code;
  code.file = "add.cu";
  code.slot = "add";
  code.text = source;
  code.ptx =
      ".visible .entry add()\n{\n\tmad.lo.s32 %r1;\n\tld.global.u32 %r2;\n\tst.global.u32;\n}\n";
  const auto counters = [](std::int64_t lanes, std::uint64_t sectors) {
    device::Counters made;
    made.warp_instructions = 1;
    made.thread_instructions = static_cast<std::uint64_t>(lanes);
    made.global_sectors = sectors;
    return made;
  };
  code.instructions = {{3, 2, counters(grid * block, 0)},
                       {4, 3, counters(n, 2)},
                       {5, 3, counters(n, guarded ? 3 : 30)}};
  code.lines = {{2, static_cast<std::uint64_t>(grid * block), code.instructions[0].counters},
                {3, static_cast<std::uint64_t>(n), code.instructions[1].counters}};
  code.lines[1].counters += code.instructions[2].counters;
  if (lab.context().sass) code.sass = machine_code(n);
  if (source.find("zz") != std::string::npos) {
    code.marks.push_back(
        {3, 3, device::Severity::error, lab::Message::plain("identifier \"zz\" is undefined")});
  }
  const auto title = [](const char* text) { return lab::Message::plain(text); };
  lab.show({"add", title("add"), counted, code});
  lab.show({"wires", title("Thread to element"), counted, accesses});
  lab.show({"geometry", title("Launch"), counted, geometry});
  lab.show({"out", title("Result"), counted, tensor("out", out)});
  lab::CheckExhibit check;
  check.items.push_back({"right",
                         lab::CheckExhibit::State::passed,
                         title("right at every element"),
                         title("10 of 10"),
                         {},
                         0,
                         {},
                         {}});
  lab.show({"check", title("Checks"), counted, check});
  lab.show({"time", title("Time"), measured,
            lab::TimingsExhibit{title("the simulation itself"),
                                {{title("add"), 2e-4, 1e-4, 3e-4, 1e-4, 5, measured, {}}}}});
  lab.show(
      {"words", title("Output"), counted, lab::TextExhibit{title("hello\nfrom thread 0"), true}});
}

const lab::Lesson& lesson() {
  static const lab::Lesson made = [] {
    lab::Lesson l;
    l.slug = "made-up";
    lab::Parameter n{"n", lab::Message::plain("elements"), lab::Message::plain("elements")};
    n.initial = std::int64_t{10};
    n.minimum = 1;
    n.maximum = 2048;
    n.logarithmic = true;
    lab::Parameter block{"block", lab::Message::plain("threads"), lab::Message::plain("threads")};
    block.initial = std::int64_t{4};
    block.minimum = 1;
    block.maximum = 1024;
    block.logarithmic = true;
    l.parameters = {n, block};
    lab::Preset eight{"eight", lab::Message::plain("8 elements"), {}};
    eight.values.set("n", std::int64_t{8});
    l.presets = {eight};
    l.slots = {{"add", "tests/gui/data/add.cu"}};
    l.experiment = run;
    const auto threads = [](const lab::Report& report) {
      const auto* geometry = report.find_as<lab::GeometryExhibit>("geometry");
      return geometry ? std::to_string(geometry->threads) : std::string();
    };
    l.figures = {{"threads", threads}};
    l.answers = {{"threads", threads}};
    return l;
  }();
  return made;
}

lab::Document document(const std::string& language) {
  auto parsed = lab::parse_document(kText, "made-up/en.md", language);
  if (!parsed) throw std::logic_error(parsed.error().english());
  return *parsed;
}

}  // namespace warpbook::gui::made_up
