#include "tests/gui/shown.hpp"

namespace warpbook::gui {

void show(Stage& stage, const lab::Exhibit& exhibit) {
  if (!stage.book().report()) stage.open_made_up();
  auto report = std::make_shared<lab::Report>(*stage.book().report());  // of these very inputs
  report->exhibits = {exhibit};
  stage.book().adopt(std::move(report));
  for (int i = 0; i < 20; ++i) stage.frame();
}

}  // namespace warpbook::gui
