// How long a frame of the window takes to build, step by step of every chapter with its questions answered: processor time from
// ImGui's NewFrame to its Render, and the vertices that it made, with nothing drawn. Then how many new pictures a second follow a
// dragged slider, and, on a screen of its own, how soon the page is seen and what it takes at rest. Ends with 1 where a bar is
// missed. `frames`, `drag` or `screen` measures that alone, and a chapter's name both of that chapter.
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

#include "gui/book/book.hpp"
#include "gui/draw/context.hpp"
#include "gui/lab/parameter_controls.hpp"
#include "gui/shell/shell.hpp"
#include "tests/bench/bars.hpp"
#include "tests/bench/clock.hpp"
#include "tests/bench/window/screen.hpp"

namespace {

using namespace warpbook;
using namespace warpbook::bench;

constexpr double kFrameBar = 4e-3;  ///< seconds of one core
constexpr double kDragBar = 10;     ///< new pictures a second
constexpr double kPaintBar = 1;     ///< seconds
constexpr double kIdleBar = 0.01;   ///< of a core
constexpr double kMemoryBar = 250;  ///< megabytes
constexpr int kVertexBar = 40'000;
constexpr int kRounds = 30, kSettling = 40;  ///< frames
constexpr float kWidth = 1440, kHeight = 900;

/// A window without a screen: what a renderer would do with textures is said to be done.
class Sitting {
 public:
  Sitting() : book_({WARPBOOK_SOURCE_DIR, "en", "dark", true, nullptr, nullptr}) {
    context_.make_current();
    context_.fonts().set_han_marks(false);
    context_.set_display(kWidth, kHeight, 1);
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  }
  ~Sitting() {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      texture->SetTexID(ImTextureID_Invalid);
      texture->SetStatus(ImTextureStatus_Destroyed);
    }
  }
  Sitting(const Sitting&) = delete;
  Sitting& operator=(const Sitting&) = delete;

  gui::Book& book() { return book_; }
  gui::Shell& shell() { return shell_; }

  /// Opens a chapter with nothing covered, at the inputs that it begins with; false where its text cannot be read.
  bool open(const std::string& slug) {
    if (!book_.open(slug)) return false;
    settle();
    const lab::Inputs opened = book_.inputs();
    for (const lab::DocumentNode& block : book_.document().nodes) {
      if (const auto* predict = std::get_if<lab::PredictDirective>(&block))
        book_.answer(predict->id, predict->choices.front().value);
    }
    book_.set_inputs(opened);
    settle();
    return true;
  }
  void settle() {
    for (int i = 0; i < 4; ++i) frame();
    book_.settle();
    for (int i = 0; i < kSettling; ++i) frame();
  }
  void frame() {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    time_ += 1.0 / 60;
    book_.poll();
    ImGui::NewFrame();
    shell_.frame(book_, context_.fonts(), time_);
    ImGui::Render();
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      if (texture->Status == ImTextureStatus_OK || texture->Status == ImTextureStatus_Destroyed)
        continue;
      const bool wanted = texture->Status != ImTextureStatus_WantDestroy;
      texture->SetTexID(wanted ? 1 : ImTextureID_Invalid);
      texture->SetStatus(wanted ? ImTextureStatus_OK : ImTextureStatus_Destroyed);
    }
  }

 private:
  gui::Book book_;
  gui::Context context_;
  gui::Shell shell_;
  double time_ = 0;
};

void measure(Sitting& sitting, const std::string& slug, Bars& bars) {
  bars.expect(sitting.open(slug), slug + " can be read");
  const std::size_t steps = sitting.shell().document().steps().size();
  for (std::size_t step = 0; step < steps; ++step) {
    sitting.shell().document().go_to_step(step);
    sitting.settle();
    Best frame;
    for (int round = 0; round < kRounds; ++round)
      frame.take(processor_seconds_of([&] { sitting.frame(); }));
    const int vertices = ImGui::GetDrawData()->TotalVtxCount;
    const std::string name = fmt::format("{}, step {}", slug, step + 1);
    fmt::print("{:<28} {:>7.2f} ms {:>8} vertices\n", name, 1e3 * frame.seconds(), vertices);
    bars.expect(frame.seconds() <= kFrameBar,
                fmt::format("{}: a frame within {} ms", name, 1e3 * kFrameBar));
    bars.expect(vertices <= kVertexBar, fmt::format("{}: at most {} vertices", name, kVertexBar));
  }
}

/// Drags the chapter's first slider from end to end and back for some seconds, as far in every frame. As under the mouse, only another
/// value is news. A draft is a picture, too.
void measure_drag(Sitting& sitting, const std::string& slug, Bars& bars) {
  constexpr std::chrono::seconds kDrag{3};
  constexpr int kThere = 90;  // frames from one end to the other
  sitting.open(slug);
  const auto& parameters = sitting.book().lesson()->parameters;
  const auto slider = std::ranges::find_if(parameters, gui::has_slider);
  if (slider == parameters.end()) return;
  const auto begin = std::chrono::steady_clock::now();
  int pictures = 0;
  double last = slider->minimum - 1;
  auto shown = sitting.book().newest();
  for (int frame = 0; std::chrono::steady_clock::now() < begin + kDrag; ++frame) {
    const float share =
        static_cast<float>(std::abs(frame % (2 * kThere) - kThere)) / static_cast<float>(kThere);
    const double value = gui::value_at(*slider, share);
    const bool whole = slider->type == lab::Parameter::Type::integer;
    if (std::exchange(last, value) != value) {
      sitting.book().drag_value(slider->name,
                                whole ? lab::Value(std::llround(value)) : lab::Value(value));
    }
    sitting.frame();
    pictures += std::exchange(shown, sitting.book().newest()) != shown ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(8));
  }
  sitting.book().end_drag();
  sitting.settle();
  const double rate = pictures / std::chrono::duration<double>(kDrag).count();
  fmt::print("{:<28} {:>7.1f} pictures a second, {} dragged\n", slug, rate, slider->name);
  bars.expect(rate >= kDragBar, fmt::format("{}: {} pictures a second", slug, kDragBar));
}

void measure_screen(Bars& bars) {
  const auto measured = measure_on_screen();
  if (!measured) {
    fmt::print("No Xvfb here, so nothing is measured on a screen.\n");
    return;
  }
  fmt::print("first paint {:.2f} s, at rest {:.2f} % of a core, {:.0f} MB\n", measured->first_paint,
             100 * measured->idle, measured->megabytes);
  bars.expect(measured->first_paint <= kPaintBar, fmt::format("painted within {} s", kPaintBar));
  bars.expect(measured->idle <= kIdleBar, fmt::format("at rest {} % of a core", 100 * kIdleBar));
  bars.expect(measured->megabytes <= kMemoryBar, fmt::format("{} MB", kMemoryBar));
}

int measure_all(std::string_view what) {
  Bars bars;
  if (what.empty() || what == "screen") measure_screen(bars);
  if (what == "screen") return bars.report();
  Sitting sitting;
  std::vector<std::string> slugs;
  for (const gui::ChapterEntry& chapter : sitting.book().chapters()) slugs.push_back(chapter.slug);
  const bool one = std::ranges::find(slugs, what) != slugs.end();
  for (const std::string& slug : slugs) {
    if (one && slug != what) continue;
    if (what != "drag") measure(sitting, slug, bars);
    if (what != "frames") measure_drag(sitting, slug, bars);
  }
  return bars.report();
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, [](std::string_view what) { return measure_all(what); });
}
