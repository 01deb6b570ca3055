// How long a frame of the window takes to build, step by step of every chapter with its questions answered: processor time from
// ImGui's NewFrame to its Render, and the vertices that it made. Nothing is drawn. Ends with 1 where a bar is missed.
#include <imgui.h>

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "gui/book/book.hpp"
#include "gui/draw/context.hpp"
#include "gui/shell/shell.hpp"
#include "tests/bench/bars.hpp"
#include "tests/bench/clock.hpp"

namespace {

using namespace warpbook;
using namespace warpbook::bench;

constexpr double kFrameBar = 4e-3;  ///< seconds of one core
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

int measure_all() {
  Sitting sitting;
  Bars bars;
  std::vector<std::string> slugs;
  for (const gui::ChapterEntry& chapter : sitting.book().chapters()) slugs.push_back(chapter.slug);
  for (const std::string& slug : slugs) measure(sitting, slug, bars);
  return bars.report();
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, [](std::string_view) { return measure_all(); });
}
