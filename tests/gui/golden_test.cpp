// Small crops of what the window draws, held against stored pictures; and wrong exhibits, which must not pass for right.
#include "tests/gui/golden.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include <imgui_impl_opengl3.h>
#include <catch2/catch_test_macros.hpp>

#include "gui/draw/context.hpp"
#include "gui/draw/offscreen.hpp"
#include "gui/shell/panel_picture.hpp"
#include "gui/shell/shell.hpp"
#include "lab/exhibits/source/line_heat.hpp"
#include "tests/gui/made_up.hpp"

namespace warpbook::gui::golden_test {
namespace {
/// The made-up chapter with a real OpenGL off the screen.
class Easel {
 public:
  explicit Easel(const std::string& theme = "dark", const std::string& language = "en")
      : book_({WARPBOOK_SOURCE_DIR, language, theme, true, nullptr, nullptr}) {
    auto made = Offscreen::make(kWidth, kHeight);
    REQUIRE(made);
    screen_ = std::move(*made);
    book_.open(made_up::lesson(), made_up::document(language));
    book_.answer("threads", "12");
    book_.settle();
  }
  Book& book() { return book_; }
  [[nodiscard]] Pixels panel(const lab::Exhibit& exhibit) {
    const auto picture = panel_picture(book_, exhibit, 560, 2);
    REQUIRE(picture);
    return *picture;
  }
  [[nodiscard]] Pixels panel(const std::string& id) { return panel(*book_.report()->find(id)); }
  /// A panel of the lab, as the window draws it.
  [[nodiscard]] Pixels in_the_lab(const std::string& name, bool with_ptx = false,
                                  bool with_sass = false) {
    Shell shell;
    shell.set_stop(Shell::Stop::lab);
    shell.lab().code().show_ptx(with_ptx);
    shell.lab().code().show_sass(with_sass);
    return drawn(shell, [&] {
      const LabView::Place* place = shell.lab().place_of(name);
      REQUIRE(place);
      return Part{place->min, place->max};
    });
  }
  /// The paragraphs of a text of its own, without the title.
  [[nodiscard]] Pixels text_of(const std::string& markdown) {
    auto document = lab::parse_document("# Made up\n\n" + markdown, "en.md", book_.language());
    REQUIRE(document);
    book_.open(made_up::lesson(), std::move(*document));
    book_.settle();
    Shell shell;
    return drawn(shell, [&] {
      const auto& set = shell.document().paragraphs();
      REQUIRE(set.size() > 1);
      const SetParagraph &first = set[1], &last = set.back();
      return Part{first.corner,
                  {last.corner.x + last.width, last.corner.y + last.paragraph->height()}};
    });
  }

 private:
  struct Part {
    ImVec2 min, max;
  };
  /// A part of the window, which is asked for when it has been drawn.
  [[nodiscard]] Pixels drawn(Shell& shell, const std::function<Part()>& part) {
    Context context;
    context.fonts().set_han_marks(book_.strings().language().han_marks);
    context.set_display(kWidth, kHeight, 1);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    for (int frame = 0; frame < 8; ++frame) {
      ImGui::GetIO().DeltaTime = 1.0f / 60;
      ImGui_ImplOpenGL3_NewFrame();
      ImGui::NewFrame();
      shell.frame(book_, context.fonts(), frame);
      ImGui::Render();
      screen_->screen().bind();
      ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    }
    const auto [min, max] = part();
    const Pixels whole = screen_->screen().pixels();
    ImGui_ImplOpenGL3_Shutdown();
    return golden::crop(whole, static_cast<int>(min.x), static_cast<int>(min.y),
                        static_cast<int>(max.x - min.x), static_cast<int>(max.y - min.y));
  }

  static constexpr int kWidth = 1440, kHeight = 1400;
  Book book_;
  std::unique_ptr<Offscreen> screen_;
};

bool small(const Pixels& picture, const std::string& name) {
  const golden::Difference difference = golden::check(picture, name);
  UNSCOPED_INFO(name << ": same size " << difference.same_size << ", share " << difference.share
                     << ", nearby " << difference.most_nearby);
  return difference.small();
}

lab::Exhibit with_value(lab::Exhibit exhibit, std::size_t index, std::int32_t value) {
  auto& accesses = std::get<lab::AccessesExhibit>(exhibit.value);
  std::memcpy(accesses.arrays[2].tensor.data.data() + index * sizeof value, &value, sizeof value);
  return exhibit;
}
/// A kernel on one stream beside a copy on another, for which it then waits.
lab::TimelineExhibit timeline() {
  using enum lab::TimelineExhibit::Activity;
  lab::TimelineExhibit made;
  made.rows = {lab::host_row(), lab::stream_row(1), lab::stream_row(2)};
  made.spans = {{0, host_call, "cudaMemcpyAsync", 0, 3e-4, 0, 8, {}, {}},
                {1, copy_in, "cudaMemcpyAsync", 2e-4, 4e-3, 4 << 20, 8, 0, {}},
                {0, host_call, "cudaLaunchKernel", 3e-4, 6e-4, 0, 9, {}, {}},
                {2, kernel, "saxpy", 5e-4, 3e-3, 0, 9, 2, {}},
                {2, kernel, "saxpy", 4e-3, 6e-3, 0, 10, 2, {1}},
                {1, copy_out, "cudaMemcpyAsync", 6e-3, 8e-3, 2 << 20, 11, 2, {4}},
                {0, waiting, "cudaDeviceSynchronize", 6e-4, 8e-3, 0, 12, {}, {5}}};
  made.times = device::Evidence{device::EvidenceKind::estimated, lab::Message::plain("H200"), {}};
  made.total = 8e-3;
  made.low = 7e-3;
  made.high = 9e-3;
  return made;
}
/// A warp of which the even lanes take one side, and the odd ones then the other.
lab::WarpFilmExhibit warp_film() {
  constexpr std::uint32_t kAll = ~0u, kEven = 0x55555555u;
  lab::WarpFilmExhibit made;
  made.lanes = kAll;
  made.rows = {{17, "int i = blockIdx.x * blockDim.x + threadIdx.x;"},
               {19, "float s = x[i];"},
               {20, "if (i % 2 == 0)"},
               {7, "  s = s * (1.25f - 0.3f * s * s);"},
               {13, "  s = s + 0.1f * s * (1 - fabsf(s));"},
               {24, "out[i] = s;"}};
  made.steps = {{0, kAll, 5},    {1, kAll, 3},   {2, kAll, 2},
                {4, ~kEven, 32}, {3, kEven, 32}, {5, kAll, 3}};
  made.chosen = 3;
  return made;
}
lab::Exhibit counted_exhibit(const char* id, lab::ExhibitValue value) {
  const device::Evidence counted{device::EvidenceKind::counted, lab::Message::plain("H200"), {}};
  return {id, lab::Message::plain(id), counted, std::move(value)};
}

/// 64 values brought together in pairs, interleaved or folded; one of them is lost in the first round.
/// Four devices in a ring, and one that sends elsewhere.
lab::Exhibit devices(std::uint64_t bytes) {
  const lab::Message gradients = lab::Message::plain("gradients");
  lab::DevicesExhibit made;
  for (std::uint32_t i = 0; i < 4; ++i)
    made.devices.push_back({lab::Message::plain("rows " + std::to_string(16 * i)),
                            i == 1 || i == 2 ? 1u : 0u,
                            i / 2,
                            {{lab::Message::plain("weights"), 67072}}});
  for (std::uint32_t i = 0; i < 4; ++i) made.links.push_back({i, (i + 1) % 4, gradients, bytes, 6});
  made.links.push_back({0, 1, lab::Message::plain("results"), 512, 1});
  return {"devices", lab::Message::plain("Devices"), {}, std::move(made)};
}

/// Two stages and two micro-batches, `ahead` of which the first stage begins before it goes back.
lab::Exhibit pipeline(double ahead) {
  using Work = lab::PipelineExhibit::Work;
  lab::PipelineExhibit made;
  made.rows = {{lab::Message::plain("stage 0"), 2}, {lab::Message::plain("stage 1"), 1}};
  made.spans = {{0, Work::forward, 0, 0, 1},     {0, Work::forward, 1, ahead - 1, ahead},
                {0, Work::backward, 0, 4, 6},    {0, Work::backward, 1, 7, 9},
                {1, Work::forward, 0, 1, 2},     {1, Work::backward, 0, 2, 4},
                {1, Work::forward, 1, 4, 5},     {1, Work::backward, 1, 5, 7},
                {0, Work::gradients, 0, 9, 9.5}, {1, Work::update, 0, 9.5, 10}};
  made.total = made.high = 10;
  return {"pipeline", lab::Message::plain("Pipeline"), {}, std::move(made)};
}

/// Four kernels, of which the reader's takes `seconds`, and an earlier one of theirs.
lab::Exhibit pareto(double seconds) {
  using Origin = lab::ParetoExhibit::Origin;
  lab::ParetoExhibit made;
  made.points = {
      {lab::Message::plain("direct"), Origin::ours, 0, 15e-6, 13e-6, 24e-6, 450'000, 1, 1},
      {lab::Message::plain("tiled"), Origin::ours, 0, 16e-6, 13e-6, 25e-6, 19'000, 1, 1},
      {lab::Message::plain("winograd"), Origin::ours, 0, 11e-6, 10e-6, 18e-6, 95'000, 1, 1},
      {lab::Message::plain("yours"), Origin::yours, 0, seconds, 10e-6, 20e-6, 60'000, 1, 1},
      {lab::Message::plain("run 1"), Origin::earlier, 1, 17e-6, 14e-6, 24e-6, 200'000, 1, 1}};
  return {"pareto", lab::Message::plain("Pareto"), {}, std::move(made)};
}

lab::Exhibit tree(bool interleaved) {
  lab::TreeExhibit made;
  made.places = made.threads = 64;
  made.rounds.resize(1);
  for (std::uint32_t t = 0; t < 64; ++t) made.rounds[0].nodes.push_back({t, t, {}});
  for (std::uint32_t round = 0; round < 6; ++round) {
    const std::uint32_t apart = interleaved ? 1u << round : 32u >> round;
    lab::TreeExhibit::Round next;
    for (std::uint32_t left = 0; left < (interleaved ? 63 : apart);
         left += interleaved ? 2 * apart : 1)
      next.nodes.push_back({left, left, {left, left + apart}});
    if (round == 0) next.nodes.back().from.pop_back();
    made.rounds.push_back(std::move(next));
  }
  return {"tree", lab::Message::plain("Tree"), {}, std::move(made)};
}

/// A disc or a square on its way through a convolution and a linear layer.
lab::LayersExhibit trained_layers(bool disc) {
  using Work = lab::LayersExhibit::Work;
  const auto map = [&](std::uint64_t planes, std::uint64_t side, float slope) {
    lab::TensorExhibit made;
    made.shape = {planes, side, side};
    if (planes == 1) made.shape.erase(made.shape.begin());
    std::vector<float> values;
    for (std::uint64_t i = 0; i < planes * side * side; ++i) {
      const double x = static_cast<double>(i % side) - static_cast<double>(side) / 2,
                   y = static_cast<double>(i / side % side) - static_cast<double>(side) / 2,
                   reach = disc ? std::hypot(x, y) : std::max(std::abs(x), std::abs(y));
      values.push_back((reach < 0.35 * static_cast<double>(side) ? 1.0f : 0.0f) +
                       slope * static_cast<float>(x));
    }
    const auto bytes = std::as_bytes(std::span(values));
    made.data.assign(bytes.begin(), bytes.end());
    return made;
  };
  lab::LayersExhibit made;
  made.images = 100;
  made.layers = {
      {"image", {3, 32, 32}, 0, 1'228'800, map(3, 32, 0), lab::LayersExhibit::none(), {}},
      {"conv1",
       {8, 32, 32},
       224,
       3'276'800,
       map(1, 32, 0.02f),
       map(1, 32, -0.05f),
       {{Work::forward, "a.cu", 1, 1 << 20, 19e-6, 16e-6, 30e-6},
        {Work::weights, "b.cu", 2, 1 << 20, 137e-6, 114e-6, 214e-6},
        {Work::update, "c.cu", 1, 1 << 10, 5e-6, 4e-6, 7e-6}}},
      {"fc",
       {10},
       10'250,
       4'000,
       lab::LayersExhibit::none(),
       lab::LayersExhibit::none(),
       {{Work::data, "d.cu", 1, 64, 44e-6, 37e-6, 69e-6}}}};
  return made;
}

/// Losses that shrink by a factor every ten steps, with launches of all three passes.
lab::Exhibit training_curve(double factor) {
  using Pass = lab::LearningExhibit::Pass;
  constexpr std::array<std::pair<Pass, double>, 4> kLaunches{
      {{Pass::forward, 2e-6}, {Pass::forward, 4e-6}, {Pass::backward, 9e-6}, {Pass::update, 3e-6}}};
  lab::LearningExhibit made;
  auto& run = made.runs.emplace_back();
  double loss = 1;
  for (std::uint64_t i = 0; i < 8; ++i) {
    run.points.push_back({10 * i, loss, 1 - loss / 2, {}});
    for (const auto& [pass, seconds] : kLaunches) {
      auto& launch = run.points.back().launches.emplace_back();
      launch.pass = pass;
      launch.seconds = seconds;
    }
    loss *= factor;
  }
  made.steps = 100;
  return counted_exhibit("learning", std::move(made));
}

/// Stripes of so many classes, with samples that are right in every stripe but the last.
lab::Exhibit regions(std::uint32_t classes) {
  constexpr std::uint32_t kSide = 12;
  lab::BoundaryExhibit made;
  made.side = kSide;
  made.classes = classes;
  auto& frame = made.frames.emplace_back();
  for (std::uint32_t cell = 0; cell < kSide * kSide; ++cell)
    frame.cells.push_back(cell % kSide * classes / kSide);
  for (std::uint32_t i = 0; i < kSide; ++i) {
    made.x.push_back((2.0 * i + 1) / kSide - 1);
    made.y.push_back(0.5);
    frame.answers.push_back(i * classes / kSide);
    made.labels.push_back(std::min(frame.answers.back(), classes - 2));
  }
  return counted_exhibit("boundary", std::move(made));
}

/// z = (3x + 2)^2 at x = 2, and its way back, in which y is used twice.
lab::GraphExhibit square_graph() {
  using Data = lab::GraphExhibit::Data;
  const auto number = [](double value) { return Data{{1}, {1}, {value}}; };
  const auto launch = [](const std::string& operation) {
    return lab::GraphExhibit::Launch{
        operation, "kernels/" + operation + "/01_one_each.cu", 1, 256, 94, 96, 24};
  };
  lab::GraphExhibit made;
  made.nodes = {{"3", "", "", {}, number(3), false, {}, {}, {}},
                {"x", "", "", {}, number(2), true, number(48), {}, {}},
                {"3x",
                 "multiply",
                 "",
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
                 {launch("broadcast_multiply"), launch("broadcast_add")}}};
  return made;
}

/// A launch under 64 schedules, most of which are wrong in one of three ways, and a barrier that is missing.
lab::Exhibit schedules() {
  lab::SchedulesExhibit made;
  made.array = "used";
  made.elements = 96;
  made.outcomes = {{true, 0, {}, {}},
                   {true, 1, {{32, "62", "2062"}}, {32}},
                   {true, 2, {{32, "62", "2062"}, {64, "58", "4058"}}, {32, 64}},
                   {false, 0, {}, {}}};
  for (std::uint32_t run = 0; run < 64; ++run) made.runs.push_back(run * run % 7 % 4);
  made.chosen = 3;
  made.races = 95;
  made.collision = lab::SchedulesExhibit::Collision{
      {8, device::AccessKind::store, 0, 31},
      {10, device::AccessKind::load, 0, 32},
      lab::Message::plain("race: put __syncthreads() between line 8 and line 10"),
      true,
      7,
      {"  int i = blockIdx.x * BLOCK + t;", "  if (i < n) m[t] = reading[i + 1];", "  if (i < n) {",
       "    int before = t > 0 ? m[t - 1] : reading[i];", "    used[i] = m[t] - before;"}};
  return {"schedules", lab::Message::plain("Schedules"), {}, std::move(made)};
}
lab::Exhibit exhibit_of(lab::TimelineExhibit timeline) {
  const auto evidence = timeline.times;
  return {"timeline", lab::Message::plain("Timeline"), evidence, std::move(timeline)};
}

/// 6 x 12 places that four warps fill, and of which each is read by all threads within one place of it.
lab::Exhibit tile_exhibit() {
  lab::TileExhibit made;
  made.rows = 6;
  made.columns = 12;
  made.followed = 30;
  made.arrays = {"x"};
  made.steps.resize(2);
  for (std::uint32_t place = 0; place < 72; ++place) {
    const std::uint32_t row = place / 12, column = place % 12;
    made.steps[0].cells.push_back(
        {place, 1, 0, row * 20 + column, lab::TileExhibit::Source{0, place}, {}});
    std::vector<std::uint32_t> readers;
    for (std::uint32_t reader = 0; reader < 72; ++reader) {
      const auto apart = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
      if (apart(reader / 12, row) <= 1 && apart(reader % 12, column) <= 1)
        readers.push_back(reader);
    }
    const auto reads = static_cast<std::uint32_t>(readers.size());
    made.steps[1].cells.push_back({place, 0, reads, 0, {}, std::move(readers)});
  }
  return {"tile", lab::Message::plain("Tile"), {}, std::move(made)};
}
/// 64 threads of a block, each of which computes a square of 2 x 2 in a product of 24 x 24 and depth 8.
lab::ProductExhibit sample_product() {
  lab::ProductExhibit made;
  made.rows = made.columns = 24;
  made.depth = 8;
  made.followed = 11;
  for (std::uint32_t thread = 0; thread < 64; ++thread) {
    lab::ProductExhibit::Thread one;
    one.thread = thread;
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::uint32_t row = 8 + thread / 8 * 2 + i, column = thread % 8 * 2;
      one.results.insert(one.results.end(), {row * 24 + column, row * 24 + column + 1});
      for (std::uint32_t d = 0; d < 8; ++d) one.a.push_back(row * 8 + d);
    }
    for (std::uint32_t d = 0; d < 8; ++d)
      one.b.insert(one.b.end(), {d * 24 + thread % 8 * 2, d * 24 + thread % 8 * 2 + 1});
    if (thread % 8 == 0) one.loaded_a = one.a;
    if (thread < 8) one.loaded_b = one.b;
    made.threads.push_back(std::move(one));
  }
  return made;
}
}  // namespace

TEST_CASE("the exhibits look as they did", "[ci][golden]") {
  for (const char* theme : {"dark", "light", "contrast"}) {
    Easel easel(theme);
    CHECK(small(easel.panel("wires"), std::string("wires-") + theme));
  }
  Easel easel;
  for (const char* id : {"out", "check", "time", "words"}) CHECK(small(easel.panel(id), id));
  Easel chinese("light", "zh");
  CHECK(small(chinese.panel("wires"), "wires-zh"));
}

TEST_CASE("a wrong result and where its wrong elements lie look as they did", "[ci][golden]") {
  using Check = lab::CheckExhibit;
  Check::Item wrong;
  wrong.id = "right";
  wrong.state = lab::CheckState::failed;
  wrong.sentence = lab::Message::plain("right at every size");
  wrong.got = lab::Message::plain("1 of 2 cases");
  wrong.advice = lab::Message::plain("y[8] should be 3 and is 1");
  wrong.cases = {{"n = 7", true}, {"n = 32", false}};
  wrong.inputs = {"n = 32",
                  {"saxpy<<<1, 32>>>(32, 2.5, x, y)"},
                  {{"x", 32, 8, {"0.5", "-1.5", "2", "0", "12.5", "-3", "1", "7.5"}},
                   {"y", 32, 8, {"1.75", "3", "-2", "0.5", "4", "1", "-6", "2"}}}};
  wrong.mismatches = {{8, "3", "1", lab::Message::plain("block 0, thread 8")}};
  wrong.spread = {"n = 32", "y", 32, 20, {{8, 0, 0}, {8, 4, 0}, {8, 8, 0}, {8, 8, 8}}};
  Check check;
  check.items = {wrong};
  Easel easel;
  CHECK(small(easel.panel(lab::Exhibit{"check", lab::Message::plain("Check"), std::nullopt, check}),
              "check-failed"));
}

TEST_CASE("timelines with and without times look as they did", "[ci][golden]") {
  Easel easel;
  CHECK(small(easel.panel(exhibit_of(timeline())), "timeline"));
  lab::TimelineExhibit slower = timeline();
  slower.spans[3].end = 2e-3;
  CHECK_FALSE(golden::compare(easel.panel(exhibit_of(slower)), golden::stored("timeline")).small());
  lab::TimelineExhibit order = timeline();
  order.times.reset();
  Easel chinese("light", "zh");
  CHECK(small(chinese.panel(exhibit_of(order)), "timeline-order-zh"));
}

TEST_CASE("two memories look as they did, with an arrow for each transfer", "[ci][golden]") {
  using Memories = lab::MemoriesExhibit;
  Memories memories;
  memories.arrays = {{"a", Memories::Memory::pageable, 36, "12 18 11 19 9 14 …"},
                     {"d_a", Memories::Memory::device, 36, ""},
                     {"m", Memories::Memory::managed, 4096, ""},
                     {"p", Memories::Memory::pinned, 36, ""}};
  memories.transfers = {{Memories::Way::copy, true, 0, 1, 36, 1},
                        {Memories::Way::pages, true, 2, 2, 4096, 1},
                        {Memories::Way::copy, false, 0, 1, 72, 2},
                        {Memories::Way::access, false, 3, {}, 36, 1}};
  memories.gpu = "H200";
  memories.link_rate = 25.2e9;
  memories.memory_rate = 4.8e12;
  const auto shown = [&] {
    return lab::Exhibit{"memories", lab::Message::plain("Two memories"), std::nullopt, memories};
  };
  Easel easel;
  CHECK(small(easel.panel(shown()), "memories"));
  memories.transfers[0].to_device = false;
  CHECK_FALSE(golden::compare(easel.panel(shown()), golden::stored("memories")).small());
  memories.transfers[0].to_device = true;
  Easel chinese("light", "zh");
  CHECK(small(chinese.panel(shown()), "memories-zh"));
}

TEST_CASE("the way of an error looks as it did, and one that nobody tells does not",
          "[ci][golden]") {
  lab::TrailExhibit trail;
  trail.steps = {{"CHECK(cudaMalloc(&d_t, bytes));", "cudaSuccess", false, true},
                 {"correct<<<5, 256>>>(d_t, n);", "", false, true},
                 {"tenths<<<5, 256>>>(d_t, n);", "", false, true},
                 {"CHECK(cudaMemcpy(t, d_t, bytes, any));", "cudaErrorIllegalAddress", true, true},
                 {"CHECK(cudaFree(d_t));", "", false, false}};
  trail.kernels = {{"correct", 1, 3, true}, {"tenths", 2, 3, false}};
  trail.cause = 1;
  trail.cause_kernel = 0;
  trail.told = 3;
  trail.how = lab::Message::plain("It reads far outside.");
  Easel easel;
  CHECK(small(easel.panel(counted_exhibit("trail", trail)), "trail"));
  lab::TrailExhibit untold = trail;
  untold.told.reset();
  CHECK_FALSE(
      golden::compare(easel.panel(counted_exhibit("trail", untold)), golden::stored("trail"))
          .small());
  Easel chinese("light", "zh");
  CHECK(small(chinese.panel(counted_exhibit("trail", untold)), "trail-zh"));
}

TEST_CASE("a warp's film looks as it did, and another step does not", "[ci][golden]") {
  for (const char* theme : {"dark", "light"}) {
    Easel easel(theme);
    CHECK(small(easel.panel(counted_exhibit("film", warp_film())),
                std::string("warp-film-") + theme));
  }
  lab::WarpFilmExhibit later = warp_film();
  later.chosen = 4;
  Easel easel("dark");
  CHECK_FALSE(
      golden::compare(easel.panel(counted_exhibit("film", later)), golden::stored("warp-film-dark"))
          .small());
}

TEST_CASE("the issue slots of a scheduler look as they did", "[ci][golden]") {
  constexpr std::array<std::uint32_t, 3> kWarps{4, 16, 48};
  Easel chinese("light", "zh");
  CHECK(small(chinese.panel(counted_exhibit("slots", lab::issue_slots_of(4, 400, 30, 4, kWarps))),
              "issue-slots-zh"));
}

TEST_CASE("schedules side by side look as they did, and one more right one does not",
          "[ci][golden]") {
  Easel easel;
  const lab::Exhibit exhibit = schedules();
  CHECK(small(easel.panel(exhibit), "schedules"));
  lab::Exhibit other = exhibit;
  std::get<lab::SchedulesExhibit>(other.value).runs[4] = 0;
  CHECK_FALSE(golden::compare(easel.panel(other), golden::stored("schedules")).small());
  Easel chinese("light", "zh");
  CHECK(small(chinese.panel(exhibit), "schedules-zh"));
}

TEST_CASE("a tile that fills looks as it did, and one that is read does not", "[ci][golden]") {
  Easel easel;
  CHECK(small(easel.panel(tile_exhibit()), "tile-filling"));
  lab::Exhibit reading = tile_exhibit();
  auto& steps = std::get<lab::TileExhibit>(reading.value).steps;
  steps.erase(steps.begin());
  CHECK_FALSE(golden::compare(easel.panel(reading), golden::stored("tile-filling")).small());
  Easel light("light", "zh");
  CHECK(small(light.panel(reading), "tile-reading-zh"));
}

TEST_CASE("devices look as they did, and with other bytes they do not", "[ci][golden]") {
  Easel easel, light("light", "zh");
  CHECK(small(easel.panel(devices(4096)), "devices-ring"));
  CHECK_FALSE(
      golden::compare(easel.panel(devices(123456)), golden::stored("devices-ring")).small());
  CHECK(small(light.panel(devices(4096)), "devices-ring-zh"));
}

TEST_CASE("a pipeline looks as it did, and in another order it does not", "[ci][golden]") {
  Easel easel, light("light", "zh");
  CHECK(small(easel.panel(pipeline(2)), "pipeline"));
  CHECK_FALSE(golden::compare(easel.panel(pipeline(1)), golden::stored("pipeline")).small());
  CHECK(small(light.panel(pipeline(2)), "pipeline-zh"));
}

TEST_CASE("a Pareto chart looks as it did, and with a slower kernel it does not", "[ci][golden]") {
  Easel easel, light("light", "zh");
  CHECK(small(easel.panel(pareto(12e-6)), "pareto"));
  CHECK_FALSE(golden::compare(easel.panel(pareto(18e-6)), golden::stored("pareto")).small());
  CHECK(small(light.panel(pareto(12e-6)), "pareto-zh"));
}

TEST_CASE("a tree looks as it did, and one of other pairs does not", "[ci][golden]") {
  Easel easel;
  CHECK(small(easel.panel(tree(true)), "tree-interleaved"));
  CHECK_FALSE(
      golden::compare(easel.panel(tree(false)), golden::stored("tree-interleaved")).small());
  Easel light("light", "zh");
  CHECK(small(light.panel(tree(false)), "tree-folded-zh"));
}

TEST_CASE("a network's layers look as they did, and those with another image do not",
          "[ci][golden]") {
  Easel easel;
  const lab::LayersExhibit layers = trained_layers(true);
  CHECK(small(easel.panel({"layers", lab::Message::plain("Layers"), {}, layers}), "layers"));
  Easel light("light", "zh");
  const lab::Exhibit other{"layers", lab::Message::plain("Layers"), {}, trained_layers(false)};
  CHECK(small(light.panel(other), "layers-zh"));
  CHECK_FALSE(golden::compare(easel.panel(other), golden::stored("layers")).small());
}

TEST_CASE("a training looks as it did, and one that learned less does not", "[ci][golden]") {
  Easel easel;
  CHECK(small(easel.panel(training_curve(0.7)), "learning"));
  CHECK_FALSE(
      golden::compare(easel.panel(training_curve(0.95)), golden::stored("learning")).small());
  CHECK(small(easel.panel(regions(3)), "boundary"));
  CHECK_FALSE(golden::compare(easel.panel(regions(2)), golden::stored("boundary")).small());
  Easel light("light", "zh");
  CHECK(small(light.panel(training_curve(0.7)), "learning-zh"));
}

TEST_CASE("a graph looks as it did, and one with another number does not", "[ci][golden]") {
  Easel easel;
  CHECK(small(easel.panel(counted_exhibit("graph", square_graph())), "graph"));
  lab::GraphExhibit other = square_graph();
  other.nodes.back().value.first = {46};
  CHECK_FALSE(golden::compare(easel.panel(counted_exhibit("graph", other)), golden::stored("graph"))
                  .small());
  Easel light("light", "zh");
  CHECK(small(light.panel(counted_exhibit("graph", square_graph())), "graph-zh"));
}

TEST_CASE("a product looks as it did, and one in which others share the work does not",
          "[ci][golden]") {
  Easel easel;
  const lab::ProductExhibit product = sample_product();
  CHECK(small(easel.panel({"product", lab::Message::plain("Product"), {}, product}), "product"));
  Easel light("light", "zh");
  lab::ProductExhibit other = product;
  other.followed = 40;
  const lab::Exhibit exhibit{"product", lab::Message::plain("Product"), {}, other};
  CHECK(small(light.panel(exhibit), "product-zh"));
  CHECK_FALSE(golden::compare(easel.panel(exhibit), golden::stored("product")).small());
}

TEST_CASE("a grid in space looks as it did, and another pinned block does not", "[ci][golden]") {
  Easel easel;
  lab::GeometryExhibit geometry{"invert", {3, 4, 3}, {8, 4, 1}, 1152, 228, true, {}};
  for (std::uint32_t block = 0; block < 36; ++block)  // 22 x 14 pixels
    geometry.stored.push_back((block % 3 == 2 ? 0x3F3F3F3Fu : ~0u) >>
                              (block / 3 % 4 == 3 ? 16 : 0));
  const lab::Exhibit exhibit{"geometry", lab::Message::plain("Grid"), {}, geometry};
  Link link;
  link.thread = Link::Thread{16, 21};
  easel.book().link.pin(link);
  CHECK(small(easel.panel(exhibit), "grid"));
  easel.book().link.unpin();
  CHECK_FALSE(golden::compare(easel.panel(exhibit), golden::stored("grid")).small());
}

TEST_CASE("threads that write outside the array look as they did", "[ci][golden]") {
  Easel easel;
  std::string text = easel.book().source("add");
  easel.book().set_source("add", text.replace(text.find("if (i < n) "), 11, ""));
  easel.book().settle();
  CHECK(small(easel.panel("wires"), "strays"));
  CHECK_FALSE(golden::compare(easel.panel("wires"), golden::stored("wires-dark")).small());
}

TEST_CASE("the editor with a linked thread, and with an error below its line, looks as it did",
          "[ci][golden]") {
  Easel easel;
  Link link;
  link.thread = Link::Thread{1, 2};
  easel.book().link.pin(link);
  CHECK(small(easel.in_the_lab("code"), "editor-linked"));
  easel.book().link.unpin();
  const Pixels unlinked = easel.in_the_lab("code");
  CHECK_FALSE(golden::compare(unlinked, golden::stored("editor-linked")).small());
  std::string text = easel.book().source("add");
  easel.book().set_source("add", text.insert(text.find("if (i < n)"), "zz; "));
  easel.book().settle();
  CHECK(small(easel.in_the_lab("code"), "editor-error"));
}

TEST_CASE("source and PTX in the heat of a counter, a line of both linked, look as they did",
          "[ci][golden]") {
  Easel easel;
  easel.book().choose("source/heat", static_cast<int>(lab::Heat::sectors));
  Link link;
  link.line = 3;
  easel.book().link.pin(link);
  CHECK(small(easel.in_the_lab("code", true), "editor-ptx"));
  std::string text = easel.book().source("add");
  easel.book().set_source("add", text.replace(text.find("if (i < n) "), 11, ""));
  easel.book().settle();
  CHECK_FALSE(
      golden::compare(easel.in_the_lab("code", true), golden::stored("editor-ptx")).small());
}

TEST_CASE("source and machine code, an instruction and its line linked, look as they did",
          "[ci][golden]") {
  Easel easel;
  easel.book().want_sass(true);
  easel.book().settle();
  Link link;
  link.line = 3;
  link.ptx_line = 5;
  easel.book().link.pin(link);
  CHECK(small(easel.in_the_lab("code", false, true), "editor-sass"));
  easel.book().link.unpin();
  CHECK_FALSE(golden::compare(easel.in_the_lab("code", false, true), golden::stored("editor-sass"))
                  .small());
}

TEST_CASE("a tensor of many elements is drawn with a hard-edged square for each", "[ci]") {
  Easel easel;
  constexpr std::size_t kSide = 128;
  lab::TensorExhibit large{"t", device::ElementType::u8, {kSide, kSide}, {}, {}};
  large.view = lab::TensorExhibit::View::image;
  large.data.resize(kSide * kSide);
  large.data[40 * kSide + 50] = std::byte{255};
  const auto white = [&] {
    const Pixels picture = easel.panel({"t", lab::Message::plain("A picture"), {}, large});
    std::vector<std::pair<int, int>> found;
    for (int i = 0; i < picture.width * picture.height; ++i) {
      const auto* at = picture.rgb.data() + static_cast<std::ptrdiff_t>(i) * 3;
      if (at[0] == 255 && at[1] == 255 && at[2] == 255)
        found.emplace_back(i % picture.width, i / picture.width);
    }
    return found;
  };
  const auto one = white();  // of four points, and two pixels a point
  REQUIRE(one.size() > 16);
  const auto [x, y] = one.front();
  large.data[40 * kSide + 50] = std::byte{0};
  const auto without = white();
  const int side = static_cast<int>(std::lround(std::sqrt(one.size() - without.size())));
  CHECK(side == 8);
  CHECK(one.size() - without.size() == 64);
  large.data[43 * kSide + 50] = std::byte{255};
  const auto below = white();
  CHECK(below.front() == std::pair(x, y + 3 * side));
}

TEST_CASE("a stored picture tells a wrong exhibit from a right one", "[ci]") {
  Easel easel;
  const lab::Exhibit right = *easel.book().report()->find("wires");
  const Pixels stored = golden::stored("wires-dark");
  REQUIRE(golden::compare(easel.panel(right), stored).small());
  const auto wrong = [&](const lab::Exhibit& exhibit) {
    return !golden::compare(easel.panel(exhibit), stored).small();
  };
  CHECK(wrong(with_value(right, 9, 25)));  // 24 in truth: one digit
  CHECK(wrong(with_value(right, 0, 8)));   // 6 in truth
  lab::Exhibit crossed = right;
  auto& wires = std::get<lab::AccessesExhibit>(crossed.value).wires;
  for (auto& wire : wires) {
    if (wire.element == 4) {
      wire.element = 5;
    } else if (wire.element == 5) {
      wire.element = 4;
    }
  }
  CHECK(wrong(crossed));
  lab::Exhibit missing = right;
  std::erase_if(std::get<lab::AccessesExhibit>(missing.value).wires,
                [](const auto& wire) { return wire.element == 7; });
  CHECK(wrong(missing));
  lab::Exhibit other_blocks = right;
  std::get<lab::AccessesExhibit>(other_blocks.value).block.x = 3;
  CHECK(wrong(other_blocks));
}

TEST_CASE("pictures that differ by a shade at edges are the same, by a mark they are not") {
  Pixels picture{64, 64, std::vector<std::uint8_t>(64 * 64 * 3, 100)};
  Pixels soft = picture, marked = picture, wider = picture;
  for (std::size_t i = 0; i < soft.rgb.size(); i += 7) soft.rgb[i] = 130;
  for (int y = 20; y < 36; ++y) {
    for (int x = 20 * 3; x < 28 * 3; ++x)
      marked.rgb[static_cast<std::size_t>(y * 64 * 3 + x)] = 200;
  }
  wider.width = 32;
  CHECK(golden::compare(picture, picture).small());
  CHECK(golden::compare(soft, picture).small());
  CHECK_FALSE(golden::compare(marked, picture).small());
  CHECK_FALSE(golden::compare(wider, picture).small());
}

#ifdef WARPBOOK_MICROTEX
TEST_CASE("formulae look as they did, and a sign more in one does not", "[ci][golden]") {
  const std::string text =
      "Of $x_i$ and $m$ comes $\\frac{x_i - m}{2}$, a *third* of **it**.\n\n"
      "$$y_i = \\frac{e^{x_i - m}}{\\sum_{j=0}^{n-1} e^{x_j - m}} + \\sqrt{\\frac{2}{\\pi}}$$\n\n"
      "$$r(x) = \\begin{cases} x & x > 0 \\\\ 0 & x \\le 0 \\end{cases}$$\n";
  for (const char* theme : {"dark", "light"}) {
    Easel easel(theme);
    CHECK(small(easel.text_of(text), std::string("formulae-") + theme));
  }
  Easel easel;
  std::string other = text;
  other.replace(other.find("x \\le 0"), 7, "x < 1  ");
  CHECK_FALSE(golden::compare(easel.text_of(other), golden::stored("formulae-dark")).small());
}
#endif

}  // namespace warpbook::gui::golden_test
