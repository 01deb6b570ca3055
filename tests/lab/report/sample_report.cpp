#include "tests/lab/report/sample_report.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "device/device.hpp"
#include "tests/key_strings.hpp"

namespace warpbook::lab::sample {
namespace {

device::Counters counters(std::uint64_t from) {
  device::Counters made;
  for_each_counter(made, [&](std::string_view, std::uint64_t& counter) { counter = from++; });
  return made;
}

const device::Evidence kCounted{
    device::EvidenceKind::counted, {"phrase.device.simulated", {{"gpu", "H200"}}, {}}, ""};
const device::Evidence kRecorded{device::EvidenceKind::recorded, Message::plain("H200"),
                                 "2026-01-02T03:04:05Z"};

/// With the opcodes of our own table, and why there are no more.
device::Sass sass() {
  device::Sass made{90,
                    "none",
                    device::Error{device::ErrorCode::library_missing,
                                  {{"library", "nvdisasm"}, {"detail", "x"}, {"command", "y"}},
                                  {"add.cu", 1, 2}},
                    {}};
  made.functions = {{"_Z3addPKiPii",
                     "add",
                     true,
                     {{16, "LDG", 2, 3, 4, 5, 1, 2, 12.5}, {32, "EXIT", 1, 2, 5, 6, 3, 4, 10}}}};
  return made;
}

SourceExhibit source() {
  SourceExhibit made;
  made.file = "add.cu";
  made.slot = "add";
  made.text =
      "__global__ void add(const int* x, int* out, int n) {\n\tint i = threadIdx.x;\n  out[i] = "
      "x[i];\n}\n";
  made.ptx = ".version 9.0\n.target sm_90\n";
  made.lines = {{2, 12, counters(100)}, {3, 10, counters(300)}};
  made.marks = {{3, 5, device::Severity::warning, Message::plain("no guard")},
                {9, 1, device::Severity::note, {"text.nothing"}}};
  made.instructions = {{1, 2, counters(400)}, {2, 0, counters(500)}};
  made.sass = sass();
  made.settings = true;
  return made;
}

TimingsExhibit timings() {
  TimingsExhibit made{Message::plain("add"), {}};
  made.rows = {{Message::plain("scalar"), 41.2e-6, 40e-6, 43e-6, 39e-6, 25, kRecorded, {}},
               {Message::plain("vectorised"), 20.6e-6, 20e-6, 21e-6, 19e-6, 25, kRecorded, {}},
               {Message::plain("simulation"),
                0.0021,
                0.002,
                0.0022,
                0.002,
                3,
                {device::EvidenceKind::measured, Message::plain("this CPU"), ""},
                {"estimate.because.fp64", {{"part", "73"}}, {}}}};
  return made;
}

CheckExhibit check() {
  using State = CheckExhibit::State;
  CheckExhibit made;
  made.items = {{"right",
                 State::failed,
                 Message::plain("right at every size"),
                 Message::plain("7 of 9 sizes"),
                 Message::plain("look at the guard"),
                 3,
                 {{"n = 33", false}, {"n = 32", true}},
                 {{4, "9", "0", {}},
                  {5, "10", "11", {"phrase.who.thread", {{"block", 0}, {"thread", 3}}, {}}}}},
                {"safe",
                 State::passed,
                 Message::plain("stays inside its arrays"),
                 Message::plain("0 findings"),
                 Message::plain("none"),
                 4,
                 {{"n = 1", true}},
                 {{1, "1", "1", "x"}}},
                {"spills",
                 State::warning,
                 Message::plain("no spills"),
                 Message::plain("16 B"),
                 Message::plain("fewer registers"),
                 9,
                 {{"n = 1", true}},
                 {{1, "1", "1", "x"}}},
                {"stable",
                 State::waiting,
                 Message::plain("stable over 64 seeds"),
                 Message::plain("41"),
                 Message::plain("wait"),
                 2,
                 {{"seed 1", true}},
                 {{1, "1", "1", "x"}}}};
  return made;
}

}  // namespace

AccessesExhibit wires(std::int64_t n, std::uint32_t grid, std::uint32_t block,
                      const std::function<std::int64_t(std::int64_t)>& to) {
  std::vector<int> x(static_cast<std::size_t>(n)), y(x.size()), out(x.size(), -1);
  std::iota(x.begin(), x.end(), 1);
  std::iota(y.begin(), y.end(), 5);
  AccessesExhibit made;
  made.grid = {grid, 1, 1};
  made.block = {block, 1, 1};
  for (std::uint32_t b = 0; b < grid; ++b) {
    for (std::uint32_t t = 0; t < block; ++t) {
      const std::int64_t i = std::int64_t{b} * block + t;
      const std::int64_t element = to(i);
      if (element == kNothing) continue;
      made.wires.push_back({b, t, 0, i, device::AccessKind::load, 4});
      made.wires.push_back({b, t, 1, i, device::AccessKind::load, 4});
      made.wires.push_back({b, t, 2, element, device::AccessKind::store, 4});
      if (i < n && element >= 0 && element < n) {
        const auto at = static_cast<std::size_t>(i);
        out[static_cast<std::size_t>(element)] = x[at] + y[at];
      }
    }
  }
  made.arrays = {{tensor("x", x), false}, {tensor("y", y), false}, {tensor("out", out), true}};
  return made;
}

AccessesExhibit guarded(std::int64_t n, std::uint32_t grid, std::uint32_t block) {
  return wires(n, grid, block, [n](std::int64_t i) { return i < n ? i : kNothing; });
}

ImageExhibit tiles(std::uint64_t width, std::uint64_t height, const device::Dim3& block) {
  ImageExhibit made;
  made.block = block;
  made.grid = {static_cast<std::uint32_t>((width + block.x - 1) / block.x),
               static_cast<std::uint32_t>((height + block.y - 1) / block.y), 1};
  made.pixels = tensor("out", std::vector<std::uint8_t>(width * height, 7), {height, width});
  for (std::uint64_t y = 0; y < height; ++y) {
    for (std::uint64_t x = 0; x < width; ++x) {
      const std::uint64_t number = y / block.y * made.grid.x + x / block.x;
      made.writes.push_back(1);
      made.writer.push_back(
          static_cast<std::int64_t>(number * block.count() + y % block.y * block.x + x % block.x));
    }
  }
  return made;
}

SpacesExhibit spaces() {
  using Space = SpacesExhibit::Space;
  SpacesExhibit made;
  made.kernel = "filter";
  made.gpu = "H200";
  made.registers = 40;
  made.spilled_bytes = 8;
  made.machine_local = 22;
  made.local_bytes = 32;
  made.shared_bytes = 64;
  made.l1_hits = 0.75;
  made.l2_hits = 0.5;
  made.rows = {{Space::registers, 262144, 0, false, {}, {}, {}, {}, {}},
               {Space::local, 0, 0, false, 320, 65536, {}, {}, 32768},
               {Space::shared, 233472, 28.6, false, 264, 33024, {}, 300, 256},
               {Space::l1, 262144, 40, false, 2176, 278528, 208896, {}, 16384},
               {Space::l2, 62914560, 281, true, {}, {}, 34048, {}, {}},
               {Space::dram, 151397597184, 690, true, {}, {}, 16448, {}, {}},
               {Space::constant, 65536, 0, false, 1, 128, {}, 1, {}},
               {Space::texture, 0, 0, false, 16, {}, {}, {}, {}}};
  return made;
}

SpacesExhibit journey() {
  using Box = SpacesExhibit::Box;
  SpacesExhibit made = spaces();
  made.journey = SpacesExhibit::Journey{
      "x[3]",
      "-0.5",
      {{Box::constant, {"journey.stands-constant", {{"name", "x[3]"}}, {}}, {}, 0, {}, {}},
       {Box::constant_cache,
        {"journey.constant-cache", {{"thread", "7"}, {"block", "1"}}, {}},
        {},
        4,
        1u,
        7u},
       {Box::registers,
        {"journey.constant-held", {{"count", "32"}, {"thread", "7"}, {"block", "1"}}, {}},
        {"spaces.passes", {{"count", "1"}}, {}},
        4,
        1u,
        7u}},
      64,
      2,
      0};
  return made;
}

SectorsExhibit lanes(std::uint32_t bytes, std::uint64_t size,
                     const std::function<std::uint64_t(unsigned)>& at, unsigned lanes) {
  SectorsExhibit made;
  made.grid = {1, 1, 1};
  made.block = {32, 1, 1};
  made.arrays = {{"in", size, 0}};
  made.places = {{5, 0, device::AccessKind::load, bytes, 1, 0, std::uint64_t{lanes} * bytes}};
  made.requests = {{0, 0, 0, {}}};
  for (unsigned i = 0; i < lanes; ++i)
    made.requests[0].lanes.push_back({static_cast<std::uint8_t>(i), 0, at(i)});
  return made;
}

StackExhibit stack() {
  using Side = StackExhibit::Side;
  using State = StackExhibit::State;
  StackExhibit made;
  made.parts = {{"nvrtc",
                 {"stack.part.nvrtc"},
                 Side::compile,
                 State::here,
                 {"13.0", "/opt/cuda/lib64/libnvrtc.so.13"},
                 {},
                 {},
                 {}},
                {"driver",
                 {"stack.part.driver"},
                 Side::gpu,
                 State::unusable,
                 {"CUDA 12.4", "/lib/libcuda.so.1"},
                 device::Error{device::ErrorCode::driver_too_old,
                               {{"found", "12.4"}, {"cuda", "13.0"}, {"needed", "580"}},
                               {}},
                 {},
                 "sudo apt-get install cuda-drivers-580"},
                {"gpu",
                 {"stack.part.gpu"},
                 Side::gpu,
                 State::missing,
                 {},
                 {},
                 {"machine.missing.no-gpu"},
                 {}},
                {"cpu", {"stack.part.cpu"}, Side::cpu, State::here, {"a CPU", "x 2"}, {}, {}, {}}};
  made.fits = {{"driver",
                "nvrtc",
                false,
                {"machine.misfit.driver-toolkit", {{"driver", "12.4"}, {"toolkit", "13.0"}}, {}}}};
  made.gpu_usable = true;
  made.when = "2026-01-02T03:04:05Z";
  return made;
}

CurveExhibit curve() {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{-kInf, -2, 0, 1, 2, kInf, kNaN};
  CurveExhibit made;
  made.variable = Message::plain("t");
  made.x = tensor("x", x);
  made.element = {6, 0, 2, 5, 4, 7, 8};
  made.elements = 9;
  made.series = {
      {Message::plain("f"), tensor<float>("y", {-1, -0.5f, 0, 0.75f, 0.5f, 1, kNaN}), 1, 0, 0},
      {Message::plain("f'"), tensor<float>("dx", {0, 0.5f, 1, 0.25f, 0.25f, 0, kNaN}), {}, 0, 0},
      {Message::plain("g"), tensor<float>("z", {0, kNaN, 1, kInf, -kInf, 0, kNaN}), {}, 1, 2}};
  made.chosen = 3;
  return made;
}

RooflineExhibit roofline() {
  RooflineExhibit made;
  made.gpu = "H200";
  made.memories = {{"dram", 4e12}, {"l2", 6e12}};
  made.ceilings = {{"tensor-half", 8e14}, {"fp32", 6e13}};
  made.points = {{Message::plain("strided"), 2e6, 3.2e7, 3.4e7, 2e-5, 1.6e-5, 2.5e-5, 1, "dram"},
                 {Message::plain("tiled"), 4e9, 5e7, 8e8, 1e-4, 9e-5, 1.2e-4, 1, "fp32"},
                 {Message::plain("mma"), 4e10, 5e7, 8e8, 1e-4, 9e-5, 1.2e-4, 0, "tensor"},
                 {Message::plain("copy"), 0, 8e6, 8e6, 5e-6, 4e-6, 6e-6, 1, "dram"}};
  made.chosen = 1;
  return made;
}

MemoriesExhibit memories() {
  using Memory = MemoriesExhibit::Memory;
  using Way = MemoriesExhibit::Way;
  MemoriesExhibit made;
  made.arrays = {{"t", Memory::pageable, 24, "12 18 11 19 9 14"},
                 {"u", Memory::pageable, 24, ""},
                 {"d_t", Memory::device, 24, "17 23 16 24 14 19"},
                 {"d_u", Memory::device, 24, ""}};
  made.transfers = {{Way::copy, true, 0, 2, 48, 2},
                    {Way::copy, true, 1, 3, 24, 1},
                    {Way::copy, false, 0, 2, 24, 1}};
  made.gpu = "H200";
  made.link_rate = 25.2e9;
  made.memory_rate = 4.8e12;
  return made;
}

TrailExhibit trail() {
  TrailExhibit made;
  made.steps = {{"cudaMalloc(&d_t, bytes);", "cudaSuccess", false, true},
                {"plus<<<1, 256>>>(d_t, n);", "", false, true},
                {"cudaMemcpy(t, d_t, bytes, any);", "cudaErrorIllegalAddress", true, true},
                {"cudaFree(d_t);", "", false, false}};
  made.kernels = {{"plus", 1, 2, true}};
  made.cause = 1;
  made.cause_kernel = 0;
  made.told = 2;
  made.how = Message::plain("It writes t[9].");
  return made;
}

WarpFilmExhibit warp_film() {
  constexpr std::uint32_t kAll = ~0u, kEven = 0x55555555u;
  WarpFilmExhibit made;
  made.block = 1;
  made.lanes = kAll;
  made.rows = {{3, "int i = threadIdx.x;"},
               {4, "if (i % 2 == 0)"},
               {5, "  s = warm(s);"},
               {7, "  s = bright(s);"},
               {8, "out[i] = s;"}};
  made.steps = {{0, kAll, 2}, {1, kAll, 1}, {2, kEven, 3}, {3, ~kEven, 2}, {4, kAll, 1}};
  made.chosen = 2;
  return made;
}

IssueSlotsExhibit issue_slots() {
  constexpr std::array<std::uint32_t, 2> kWarps{4, 16};
  return issue_slots_of(4, 40, 3, 2, kWarps);
}

SchedulesExhibit schedules() {
  using Outcome = SchedulesExhibit::Outcome;
  SchedulesExhibit made;
  made.array = "used";
  made.elements = 96;
  made.outcomes = {Outcome{true, 0, {}, {}}, Outcome{true, 1, {{32, "62", "2062"}}, {32}},
                   Outcome{true, 2, {{32, "62", "2062"}, {64, "58", "4058"}}, {32, 64}},
                   Outcome{false, 0, {}, {}}};
  made.runs = {0, 1, 1, 0, 2, 3, 2, 0};
  made.chosen = 4;
  made.seeded = false;
  made.races = 95;
  made.collision = SchedulesExhibit::Collision{
      {8, device::AccessKind::store, 0, 31},
      {10, device::AccessKind::load, 0, 32},
      Message::plain("put __syncthreads() between"),
      true,
      7,
      {"  int i = 0;", "  m[t] = x[i];", "  // wait?", "  y[i] = m[t - 1];", "}"}};
  return made;
}

TimelineExhibit timeline() {
  using enum TimelineExhibit::Activity;
  TimelineExhibit made;
  made.rows = {host_row(), stream_row(1), stream_row(2)};
  constexpr std::uint64_t kHalf = 16 << 20;
  made.spans = {{0, host_call, "cudaMemcpyAsync", 0, 4e-6, 0, 20, {}, {}},
                {1, copy_in, "cudaMemcpyAsync", 4e-6, 304e-6, kHalf, 20, 0, {}},
                {0, host_call, "saxpy", 4e-6, 8e-6, 0, 21, {}, {}},
                {1, kernel, "saxpy", 304e-6, 504e-6, 0, 21, 2, {}},
                {0, host_call, "cudaMemcpyAsync", 8e-6, 12e-6, 0, 22, {}, {}},
                {1, copy_out, "cudaMemcpyAsync", 504e-6, 804e-6, kHalf, 22, 4, {}},
                {0, host_call, "cudaMemcpyAsync", 12e-6, 16e-6, 0, 20, {}, {}},
                {2, copy_in, "cudaMemcpyAsync", 304e-6, 604e-6, kHalf, 20, 6, {1}},
                {0, host_call, "saxpy", 16e-6, 20e-6, 0, 21, {}, {}},
                {2, kernel, "saxpy", 604e-6, 804e-6, 0, 21, 8, {}},
                {0, host_call, "cudaMemcpyAsync", 20e-6, 24e-6, 0, 22, {}, {}},
                {2, copy_out, "cudaMemcpyAsync", 804e-6, 1104e-6, kHalf, 22, 10, {5}},
                {0, waiting, "cudaDeviceSynchronize", 24e-6, 1104e-6, 0, 25, {}, {5, 11}}};
  made.times = device::Evidence{device::EvidenceKind::estimated, Message::plain("H200"), {}};
  made.total = 1104e-6;
  made.low = 900e-6;
  made.high = 1400e-6;
  return made;
}

AlgorithmsExhibit algorithms() {
  using Row = AlgorithmsExhibit::Row;
  AlgorithmsExhibit made{Message::plain("convolution forward, 1x3x224x224, filters 64x3x3x3"), {}};
  AlgorithmsExhibit::Group cudnn, onednn, missing, own;
  cudnn.name = Message::plain("cuDNN 9.19.0");
  cudnn.evidence = device::Evidence{device::EvidenceKind::reported, Message::plain("H200"), ""};
  cudnn.description = Message::plain("written from a data sheet");
  cudnn.rows = {
      Row{"engine 70", "TILE_SIZE=2 IDX_MODE=0", "heuristic", 0, {}, {}, {}, {}},
      Row{"engine 2", "TILE_SIZE=-1", "by number", 5'419'008, {"STRICT_NAN_PROP"}, {}, {}, {}}};
  cudnn.left_out = 34;
  cudnn.refused = 64;
  cudnn.over_cap = 1;
  cudnn.cap = 1 << 20;
  cudnn.untimed = {"algorithms.untimed.described", {{"gpu", "H200"}}, {}};
  onednn.name = Message::plain("oneDNN 2.6.3");
  onednn.evidence =
      device::Evidence{device::EvidenceKind::measured, Message::plain("a CPU, 2 threads"), ""};
  onednn.rows = {
      Row{"jit:avx2", "x abcd, w Acdb8a", "", 0, {}, {{0.036, 0.032, 0.049, 25}}, {}, 2.5e-7},
      Row{"gemm:jit", "x abcd", "", 290'816, {"ANY_LAYOUT"}, {{0.1, 0.09, 0.2, 21}}, {}, 1e-6},
      Row{"ref:any", "", "", 0, {}, {}, 2.0, {}}};
  missing.name = Message::plain("cuBLAS");
  missing.error =
      device::Error{device::ErrorCode::library_missing,
                    {{"library", "cuBLAS"}, {"detail", "nowhere"}, {"command", "./warpbook fetch"}},
                    {}};
  own.name = {"algorithms.own", {}, {}};
  own.evidence = device::Evidence{device::EvidenceKind::estimated, Message::plain("H200"), ""};
  own.rows = {Row{"direct", "", "", 0, {}, {{4e-5, 3e-5, 6e-5, 1}}, {}, 0.0}};
  made.groups = {cudnn, onednn, missing, own};
  return made;
}

TileExhibit tile() {
  TileExhibit made;
  made.rows = 4;
  made.columns = 16;
  made.block = 2;
  made.grid = {8, 1, 1};
  made.threads = {64, 1, 1};
  made.followed = 20;
  made.arrays = {"x"};
  made.steps.resize(2);
  for (std::uint32_t place = 0; place < 64; ++place) {
    made.steps[0].cells.push_back({place, 1, 0, place, TileExhibit::Source{0, 128 + place}, {}});
    std::vector<std::uint32_t> readers{place};
    if (place > 0) readers.insert(readers.begin(), place - 1);
    const auto reads = static_cast<std::uint32_t>(readers.size());
    made.steps[1].cells.push_back({place, 0, reads, 0, {}, std::move(readers)});
  }
  made.steps[0].shared_requests = made.steps[0].shared_passes = made.steps[0].global_loads = 2;
  made.steps[1].shared_requests = 4;
  made.steps[1].shared_passes = 6;
  made.steps[1].global_stores = 2;
  return made;
}

TreeExhibit tree() {
  using Node = TreeExhibit::Node;
  TreeExhibit made;
  made.places = 4;
  made.threads = 40;
  made.block = 2;
  made.rounds = {{{Node{0, 0, {}}, Node{1, 1, {}}, Node{2, 2, {}}, Node{3, 33, {}}}, 2, 2},
                 {{Node{0, 0, {0, 2}}, Node{1, 33, {1, 3}}}, 3, 4},
                 {{Node{0, 0, {0}}}, 2, 2}};
  return made;
}

GraphExhibit graph() {
  using Data = GraphExhibit::Data;
  const auto number = [](double value) { return Data{{1}, {1}, {value}}; };
  const auto launch = [](const std::string& operation) {
    return GraphExhibit::Launch{
        operation, "kernels/" + operation + "/01_one_each.cu", 1, 256, 94, 96, 24};
  };
  GraphExhibit made;
  made.nodes = {
      {"3", "", "", {}, number(3), false, {}, {}, {}},
      {"x", "", "", {}, number(2), true, number(48), {}, {}},
      {"3x",
       "multiply",
       "layer",
       {{0, {}}, {1, number(48)}},
       number(6),
       true,
       number(16),
       {launch("broadcast_multiply")},
       {launch("broadcast_multiply")}},
      {"2", "", "", {}, number(2), false, {}, {}, {}},
      {"y",
       "add",
       "",
       {{2, number(16)}, {3, {}}},
       number(8),
       true,
       number(16),
       {launch("broadcast_add")},
       {}},
      {"z",
       "multiply",
       "",
       {{4, number(8)}, {4, number(8)}},
       number(64),
       true,
       number(1),
       {launch("broadcast_multiply")},
       {launch("broadcast_multiply"), launch("broadcast_multiply"), launch("broadcast_add")}}};
  return made;
}

LayersExhibit layers() {
  using Work = LayersExhibit::Work;
  const auto map = [](const std::string& name, std::vector<std::uint64_t> shape) {
    TensorExhibit made;
    made.name = name;
    made.shape = std::move(shape);
    std::vector<float> values;
    for (std::uint64_t i = 0; i < count(made); ++i) values.push_back(static_cast<float>(i) / 4);
    const auto bytes = std::as_bytes(std::span(values));
    made.data.assign(bytes.begin(), bytes.end());
    return made;
  };
  LayersExhibit made;
  made.images = 10;
  made.layers = {
      {"image", {3, 2, 2}, 0, 480, map("image", {3, 2, 2}), LayersExhibit::none(), {}},
      {"conv1",
       {8, 2, 2},
       224,
       1280,
       map("conv1", {2, 2}),
       map("conv1", {2, 2}),
       {{Work::forward, "kernels/convolution/05_implicit_gemm.cu", 1, 4096, 2e-6, 1e-6, 3e-6},
        {Work::weights, "kernels/convolution_backward_filter/03_split_k_gemm.cu", 2, 8192, 6e-6,
         5e-6, 7e-6},
        {Work::update, "kernels/adam/01_one_each.cu", 1, 512, 1e-6, 1e-6, 1e-6}}},
      {"fc",
       {10},
       1290,
       400,
       LayersExhibit::none(),
       LayersExhibit::none(),
       {{Work::data, "kernels/sgemm/01_naive.cu", 3, 64, 3e-6, 2e-6, 4e-6}}}};
  return made;
}

LearningExhibit learning() {
  using Pass = LearningExhibit::Pass;
  LearningExhibit made;
  const std::vector<LearningExhibit::Launch> launches{
      {"fc1", "sgemm_strided", "kernels/sgemm_strided/01_one_each.cu", Pass::forward, 2, 40, 96,
       3e-6, 2e-6, 4e-6},
      {"fc1", "broadcast_backward", "kernels/broadcast_backward/01_warp.cu", Pass::backward, 1, 8,
       32, 1e-6, 9e-7, 2e-6},
      {"", "sgd_momentum", "kernels/sgd_momentum/01_one_each.cu", Pass::update, 1, 9, 64, 2e-6,
       1e-6, 3e-6}};
  made.runs.push_back({Message::plain("rate 0.2"),
                       {{0, 2, 0.25, launches},
                        {10, 0.5, 0.5, {}},
                        {20, 0.01, 0.75, launches},
                        {30, 1e-3, 1, {}}}});
  made.runs.push_back({Message::plain("rate 0.1"), {}});
  made.steps = 40;
  made.opens = "launch";
  return made;
}

BoundaryExhibit boundary() {
  BoundaryExhibit made;
  made.side = made.classes = 2;
  made.reach = 1.5;
  made.x = {-1, 1, 0.5};
  made.y = {1, 1, -1};
  made.labels = {0, 1, 1};
  made.frames = {{0, {0, 0, 0, 0}, {0, 0, 0}}, {10, {0, 1, 0, 0}, {0, 1, 0}}};
  return made;
}

DevicesExhibit devices() {
  const Message gradients = Message::plain("gradients"), results = Message::plain("results");
  DevicesExhibit made;
  made.devices = {{Message::plain("rows 0 to 7"), 0, 0, {{Message::plain("weights"), 4096}}},
                  {Message::plain("rows 8 to 15"), 1, 0, {{Message::plain("weights"), 4096}}},
                  {Message::plain("the rest"), 0, 1, {{Message::plain("weights"), 2048}}}};
  made.links = {{0, 1, gradients, 4096, 2}, {1, 0, gradients, 4096, 2}, {0, 2, results, 512, 1}};
  return made;
}

PipelineExhibit pipeline() {
  using Work = PipelineExhibit::Work;
  PipelineExhibit made;
  made.rows = {{Message::plain("stage 0"), 2}, {Message::plain("stage 1"), 1}};
  made.spans = {{0, Work::forward, 0, 0, 1},     {0, Work::forward, 1, 1, 2},
                {0, Work::backward, 0, 4, 6},    {0, Work::backward, 1, 7, 9},
                {1, Work::forward, 0, 1, 2},     {1, Work::backward, 0, 2, 4},
                {1, Work::forward, 1, 4, 5},     {1, Work::backward, 1, 5, 7},
                {0, Work::gradients, 0, 9, 9.5}, {0, Work::update, 0, 9.5, 10}};
  made.total = 10;
  made.low = 8;
  made.high = 12;
  return made;
}

ParetoExhibit pareto() {
  using Origin = ParetoExhibit::Origin;
  ParetoExhibit made;
  made.measure = ParetoExhibit::Measure::instructions;
  made.slot = "layer";
  made.setting = "H200, conv2";
  made.points = {
      {Message::plain("fast"), Origin::ours, 0, 1e-5, 8e-6, 2e-5, 400, 9000, 1024},
      {Message::plain("frugal"), Origin::ours, 0, 4e-5, 3e-5, 8e-5, 100, 1000, 2048},
      {Message::plain("slow"), Origin::ours, 0, 6e-5, 5e-5, 9e-5, 500, 9500, 4096},
      {Message::plain("mine"), Origin::yours, 0, 2e-5, 1e-5, 3e-5, 200, 2000, 1024},
      {{"pareto.earlier", {{"number", 1}}}, Origin::earlier, 1, 5e-5, 4e-5, 6e-5, 300, 3000, 1024}};
  return made;
}

BarsExhibit bars() {
  const auto bar = [](const char* label, double value, const char* text) {
    return BarsExhibit::Bar{Message::plain(label), value, text};
  };
  return {Message::plain("Twice as many bytes move as are requested."),
          {{Message::plain("bytes"), {bar("requested", 384, "384 B"), bar("moved", 768, "768 B")}},
           {Message::plain("instructions"), {bar("executed", 156, "156")}}}};
}

GpuExhibit gpu() { return gpu_of(*device::find_gpu("h200"), "a data sheet"); }

ProductExhibit product() {
  ProductExhibit made;
  made.rows = made.columns = made.depth = 4;
  made.block = 3;
  made.grid = {2, 2, 1};
  made.followed = 1;
  for (std::uint32_t thread = 0; thread < 4; ++thread) {
    const std::uint32_t row = 2 + thread / 2, column = thread % 2 * 2;
    ProductExhibit::Thread one;
    one.thread = thread;
    one.results = {row * 4 + column, row * 4 + column + 1};
    for (std::uint32_t d = 0; d < 4; ++d) {
      one.a.push_back(row * 4 + d);
      one.b.insert(one.b.end(), {d * 4 + column, d * 4 + column + 1});
    }
    one.loaded_b = one.b;
    if (thread % 2 == 0) one.loaded_a = one.a;
    made.threads.push_back(std::move(one));
  }
  return made;
}

SlidingWindowExhibit slid(std::uint64_t channels, std::uint64_t side, std::uint64_t filters,
                          std::uint64_t most) {
  SlidingWindowExhibit made;
  std::vector<float> x, weights;
  for (std::uint64_t i = 0; i < channels * side * side; ++i) x.push_back(static_cast<float>(i % 7));
  for (std::uint64_t i = 0; i < filters * channels * 9; ++i)
    weights.push_back(static_cast<float>(i % 5) - 2);
  made.input = tensor<float>("x", x, {channels, side, side});
  made.weights = tensor<float>("weights", weights, {filters, channels, 3, 3});
  made.filters = filters;
  made.out_rows = made.out_columns = side;
  made.pad = 1;
  for (std::uint64_t element = 0; element < std::min(most, filters * side * side); ++element) {
    const std::uint64_t filter = element / side / side, row = element / side % side,
                        column = element % side;
    SlidingWindowExhibit::Output output;
    output.element = element;
    output.block = static_cast<std::uint32_t>(filter);
    output.thread = static_cast<std::uint32_t>(row * side + column);
    for (std::uint64_t t = 0; t < channels * 9; ++t) {
      const std::uint64_t y = row + t / 3 % 3, z = column + t % 3;  // one more than in the image
      if (y < 1 || y > side || z < 1 || z > side) continue;
      const std::uint64_t input = (t / 9 * side + y - 1) * side + z - 1;
      output.inputs.push_back(static_cast<std::int64_t>(input));
      output.weights.push_back(static_cast<std::int64_t>(filter * channels * 9 + t));
      output.value += static_cast<double>(x[input] * weights[filter * channels * 9 + t]);
    }
    made.outputs.push_back(std::move(output));
  }
  return made;
}

ComparisonExhibit comparison() {
  using Kind = ComparisonExhibit::Source::Line::Kind;
  using State = CheckExhibit::State;
  using device::EvidenceKind;
  const auto subject = [](const char* id) {
    return ComparisonExhibit::Subject{id, Message::plain(id)};
  };
  const auto span = [](double seconds) {
    return ComparisonExhibit::Time::Span{seconds, seconds * 0.9, seconds * 1.1,
                                         Message::plain("H200")};
  };
  ComparisonExhibit made;
  made.a = {Message::plain("narrow"),
            {"phrase.device.simulated", {{"gpu", "H200"}}, {}},
            1,
            {{device::ErrorCode::trap, {{"thread", "1"}, {"block", "2"}}, {"add.cu", 4, 7}}}};
  made.b = {Message::plain("wide"), {"phrase.device.simulated", {{"gpu", "T4"}}, {}}, 2, {}};
  made.settings = {{"n", "8", "32"}};
  made.figures = {{subject("add.cu"), "global_sectors", {}, EvidenceKind::counted, 96, 32},
                  {subject("add.cu"), "branches", {}, EvidenceKind::counted, 4, 4},
                  {subject("add.cu"), "atomics", {}, EvidenceKind::counted, 0, 7},
                  {subject("spaces"), "bytes_moved", Message::plain("DRAM"),
                   EvidenceKind::estimated, std::nullopt, 4096.5}};
  made.times = {{subject("time"), Message::plain("one launch"), EvidenceKind::estimated, span(4e-5),
                 span(2e-5)},
                {subject("time"), Message::plain("another"), EvidenceKind::estimated, span(4e-5),
                 span(4.1e-5)},
                {subject("time"), Message::plain("the simulation"), EvidenceKind::measured,
                 span(0.5), std::nullopt}};
  made.outputs = {{subject("out"), "out", "2 × 2", "2 × 2", 4, 3, 1,
                   ComparisonExhibit::Output::Element{3, "12", "20", 8},
                   ComparisonExhibit::Output::Element{0, "1", "2", 0.5},
                   ComparisonExhibit::Output::Element{1, "nan", "8.5", 0}},
                  {subject("long"), "long", "4", "5", 0, 0, 0, {}, {}, {}}};
  made.checks = {{subject("check"), Message::plain("right"), State::failed, State::passed},
                 {subject("check"), Message::plain("safe"), std::nullopt, State::warning}};
  made.words = {
      {subject("cost"), Message::plain("12 warps"), Message::plain("3 warps"), false},
      {subject("calls"), Message::plain("copy\nlaunch\n"), Message::plain("launch\n"), true}};
  made.sources = {{subject("add.cu"),
                   1,
                   1,
                   false,
                   true,
                   {{Kind::gap, 3, 0, {}},
                    {Kind::same, 4, 4, "  int i = threadIdx.x;"},
                    {Kind::removed, 5, 0, "  out[i] = x[i];"},
                    {Kind::added, 0, 5, "  if (i < n) out[i] = x[i];"}},
                   {{4, 12, counters(100)}, {5, 10, counters(200)}},
                   {{4, 12, counters(100)}, {5, 8, counters(50)}}}};
  made.only = {{subject("wires"), true}, {subject("picture"), false}};
  return made;
}

Report full_report() {
  Report report;
  report.subject = "first-kernel";
  report.inputs.values.set("n", std::int64_t{10});
  report.inputs.values.set("rate", 0.5);
  report.inputs.values.set("guard", true);
  report.inputs.values.set("layout", std::string("rows"));
  report.inputs.sources = {{"add", "__global__ void add() {}"}};
  report.inputs.gpu = "a100";
  report.inputs.device = "gpu";
  report.inputs.seed = ~std::uint64_t{0};
  report.inputs_hash = hash_of(report.inputs);
  report.device = {"phrase.device.simulated", {{"gpu", "H200"}}, {}};
  report.compile_seconds = 0.041;
  report.run_seconds = 0.002;
  report.when = "2026-01-02T03:04:05Z";

  TensorExhibit out = tensor<float>("out", {6, 8.5f, 10, 12}, {2, 2});
  out.wrong = {1};
  out.view = TensorExhibit::View::heat;
  AccessesExhibit cut = guarded(10, 3, 4);
  cut.cut = true;
  report.exhibits = {{"wires", Message::plain("Thread to element"), kCounted, guarded(10, 3, 4)},
                     {"cut", Message::plain("A cut trace"), kCounted, cut},
                     {"geometry", Message::plain("Geometry"), kCounted,
                      GeometryExhibit{"add", {3, 2, 1}, {4, 1, 2}, 48, 2, false}},
                     {"out", Message::plain("out"), kCounted, out},
                     {"source", Message::plain("add.cu"), kCounted, source()},
                     {"time", Message::plain("Times"), std::nullopt, timings()},
                     {"check", Message::plain("Check"), kCounted, check()},
                     {"words",
                      {"report.ran", {{"device", "H200"}, {"compile", "1 s"}, {"run", "2 s"}}},
                      kRecorded,
                      TextExhibit{Message::plain("hello\nfrom thread 0\n"), true}}};
  ImageExhibit picture = tiles(5, 3, {2, 2, 1});
  picture.by = ImageExhibit::By::warp;
  picture.writes[4] = 2;
  picture.writes[7] = 0;
  picture.writer[7] = -1;
  picture.pixels.wrong = {7};
  report.exhibits.emplace_back("picture", Message::plain("Who wrote which pixel"), kCounted,
                               picture);
  report.exhibits.emplace_back("spaces", Message::plain("Memory spaces"), kCounted, spaces());
  report.exhibits.emplace_back("journey", Message::plain("A value's way"), kCounted, journey());
  SectorsExhibit sectors =
      lanes(8, std::uint64_t{1} << 40, [](unsigned i) { return (std::uint64_t{i} << 35) + 4 * i; });
  sectors.grid = {3, 2, 1};
  sectors.arrays.push_back({"out", 400, 64});
  sectors.places[0].sectors = 32;
  sectors.places.push_back({6, 1, device::AccessKind::store, 4, 7, 30, 800});
  sectors.requests.push_back({1, 2, 1, {{3, 1, 12}}});
  sectors.chosen = 1;
  report.exhibits.emplace_back("sectors", Message::plain("Lanes and sectors"), kCounted, sectors);
  report.exhibits.emplace_back("stack", Message::plain("This machine"), kCounted, stack());
  report.exhibits.emplace_back("curve", Message::plain("Functions"), kCounted, curve());
  report.exhibits.emplace_back("algorithms", Message::plain("Algorithms"), kCounted, algorithms());
  SlidingWindowExhibit window = slid(2, 4, 2);
  window.dilation = 2;
  window.stride = 3;
  window.chosen = 5;
  window.cut = true;
  window.outputs[5].wrong = true;
  window.outputs[5].inputs.push_back(-1);
  report.exhibits.emplace_back("window", Message::plain("Sliding window"), kCounted, window);
  report.exhibits.emplace_back("roofline", Message::plain("Roofline"), kCounted, roofline());
  report.exhibits.emplace_back("timeline", Message::plain("Timeline"), kCounted, timeline());
  report.exhibits.emplace_back("memories", Message::plain("Two memories"), kCounted, memories());
  report.exhibits.emplace_back("film", Message::plain("Film"), kCounted, warp_film());
  report.exhibits.emplace_back("slots", Message::plain("Slots"), kCounted, issue_slots());
  report.exhibits.emplace_back("schedules", Message::plain("Schedules"), kCounted, schedules());
  TileExhibit cut_tile = tile();
  cut_tile.cut = true;
  report.exhibits.emplace_back("tile", Message::plain("Tile"), kCounted, cut_tile);
  report.exhibits.emplace_back("trail", Message::plain("Trail"), kCounted, trail());
  report.exhibits.emplace_back("tree", Message::plain("Tree"), kCounted, tree());
  report.exhibits.emplace_back("graph", Message::plain("Graph"), kCounted, graph());
  report.exhibits.emplace_back("devices", Message::plain("Devices"), kCounted, devices());
  report.exhibits.emplace_back("pipeline", Message::plain("Pipeline"), kCounted, pipeline());
  report.exhibits.emplace_back("pareto", Message::plain("Pareto"), kCounted, pareto());
  report.exhibits.emplace_back("bars", Message::plain("Bars"), kCounted, bars());
  report.exhibits.push_back({"gpu", Message::plain("GPU"), {}, gpu()});
  ProductExhibit cut_product = product();
  cut_product.cut = true;
  report.exhibits.emplace_back("product", Message::plain("Product"), kCounted, cut_product);
  report.exhibits.emplace_back("layers", Message::plain("Layers"), kCounted, layers());
  report.exhibits.emplace_back("learning", Message::plain("Learning"), kCounted, learning());
  report.exhibits.emplace_back("boundary", Message::plain("Boundary"), kCounted, boundary());
  report.exhibits.emplace_back("comparison", Message::plain("A and B"), kCounted, comparison());
  report.errors = {
      {device::ErrorCode::out_of_bounds_write,
       {{"name", "out"}, {"elements", "[0..9]"}, {"index", "10"}, {"thread", "2"}, {"block", "2"}},
       {"add.cu", 4, 7}}};
  return report;
}

device::LaunchRecord full_record() {
  device::LaunchRecord record;
  record.kernel = "add";
  record.grid = {3, 2, 1};
  record.block = {4, 1, 2};
  record.cluster = {1, 2, 3};
  record.static_shared = 16;
  record.dynamic_shared = 32;
  record.seconds = 0.25;
  record.time = kRecorded;
  record.seed = 7;
  record.host_threads = 2;
  record.counted = true;
  record.total = counters(1);
  record.instructions = {
      {"ld.global.f32 %f1, [%rd8];", 12, {"add.cu", 4, 7}, {{"add.h", 2, 3}}, counters(50)}};
  record.lines = {{"add.cu", 4, 10, counters(90)}};
  record.longest_warp = 11;
  record.longest_lane = 9;
  record.mean_active_lanes = 30.5;
  record.blocks_writing = 3;
  record.thread_evenness = 0.5;
  record.fetch_evenness = 0.25;
  record.warp_barriers = {1, 2};
  record.most_texture_fetches = 9;
  record.allocations = {{"x", 4096, 40, device::ElementType::i32}};
  record.trace = {{4096, 0, 1, 2, 3, 4, device::Space::shared, device::AccessKind::atomic}};
  record.trace_cut = true;
  record.issues = {{0, 0xff}};
  record.issues_cut = true;
  record.written = {{"out", {1, 0, 2}, {0, -1, 5}}};
  const device::Party by{1, 2, 0, {"add.cu", 4, 7}, device::AccessKind::store};
  record.findings = {{{device::ErrorCode::misaligned_access, {{"kind", "store"}}, {"add.cu", 4, 7}},
                      by,
                      by,
                      "out",
                      -3,
                      4095,
                      4,
                      device::Space::global}};
  record.findings_total = 24;
  record.error = device::Error{device::ErrorCode::trap, {{"thread", "1"}}, {}};
  record.output = "hello\n";
  record.estimate =
      device::Estimate{.seconds = 1e-3,
                       .low = 8e-4,
                       .high = 2e-3,
                       .time = {device::EvidenceKind::estimated, Message::plain("H200"), ""},
                       .bounds = {{"dram", 9e-4}, {"launch", 2e-6}},
                       .limiter = "dram",
                       .resident_blocks = 8,
                       .occupancy = 0.5,
                       .occupancy_limiter = "registers",
                       .waves = 1.5,
                       .operations = 1e6,
                       .l2_bytes = 2e6,
                       .dram_bytes = 1e6,
                       .l1_hits = 0.25,
                       .l2_hits = 0.75,
                       .peak_operations = 6e13,
                       .peak_bytes = 4e12,
                       .blocks = 6,
                       .blocks_run = 3,
                       .machine_code = true};
  return record;
}

Exhibit exhibit(ExhibitValue value) {
  return {"sample", Message::plain("Sample"), std::nullopt, std::move(value)};
}

std::shared_ptr<const Strings> strings(const std::string& language) {
  auto loaded = Strings::load(language, WARPBOOK_SOURCE_DIR);
  if (!loaded) throw std::runtime_error(loaded.error().english());
  return *loaded;
}

const Strings& keys() {
  static const auto made = tests::key_strings();
  return *made;
}

const Strings& english() {
  static const auto loaded = strings("en");
  return *loaded;
}

}  // namespace warpbook::lab::sample
