// A product under mouse and keyboard: whose element of c is pointed at is marked in both factors, and told in words.
#include <algorithm>
#include <array>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/product/product_picture.hpp"

namespace warpbook::gui {
namespace {
using Product = lab::ProductExhibit;

constexpr const char* kKeptThread = "thread";

/// Which of the exhibit's threads was chosen last.
std::size_t kept_thread(const Product& product) {
  const auto followed =
      std::ranges::lower_bound(product.threads, product.followed, {}, &Product::Thread::thread);
  const auto first = static_cast<std::size_t>(followed - product.threads.begin());
  return std::min(kept(kKeptThread, first), product.threads.size() - 1);
}

/// Left and right go to the thread before and the next while the picture has the focus.
void step_threads(const Product& product) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow};
  own_keys(kKeys);
  const std::size_t now = kept_thread(product);
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) keep(kKeptThread, now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]) && now + 1 < product.threads.size()) keep(kKeptThread, now + 1);
}

/// The thread whose element of c the mouse is over, else the one that was pressed last. A press pins it for other panels, too.
std::uint32_t marked_thread(const FigureArea& area, const Product& product,
                            const lab::ProductLayout& layout) {
  const bool pressed = item_over("results", area.corner, layout.c());
  if (ImGui::IsItemFocused()) step_threads(product);
  const std::uint32_t chosen = product.threads[kept_thread(product)].thread;
  if (!ImGui::IsItemHovered()) return chosen;
  const auto element = layout.result_at(mouse_in(area.corner));
  const std::uint32_t owner = element ? owners_of(product)[*element] : lab::kNoThread;
  const lab::ProductExhibit::Thread* const thread = find_thread(product, owner);
  if (!thread) return chosen;
  point_at(area.ui, link_to(product.block, owner), pressed);
  if (pressed) keep(kKeptThread, static_cast<std::size_t>(thread - product.threads.data()));
  return owner;
}
}  // namespace

float figure_of(const FigureArea& area, const Product& product, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (product.threads.empty()) return words(area, ui.tr("product.nothing"), ui.caption_style());
  const lab::ProductLayout layout(product, static_cast<double>(area.width));
  const auto below = static_cast<float>(layout.height()) + 6;
  const ImVec2 corner{area.corner.x, area.corner.y + below};
  const std::string legend = ui.tr("product.legend");
  const float height = below + words({ui, corner, area.width, false}, legend, ui.caption_style());
  if (!area.draw) return height;
  const std::uint32_t thread = marked_thread(area, product, layout);
  draw_kept(area, &product, FigureInputs(std::uint64_t{thread}),
            [&] { return drawing_of(product, layout, thread, canvas_for(area)); });
  // What the followed thread does, the sentence below says.
  words({ui, corner, area.width, true},
        thread == product.followed ? legend : thread_text(product, thread, ui.book.strings()),
        ui.caption_style());
  return height;
}

}  // namespace warpbook::gui
