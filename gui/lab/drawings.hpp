// Drawings of the reader's own as files: so a drawing is a picture like any other, for the window, the terminal and the next sitting.
#pragma once

#include <filesystem>

#include "lab/model/sketch.hpp"

namespace warpbook::gui {

struct KeptDrawing {
  std::filesystem::path file;
  bool is_new = false;  ///< else there was a file of this drawing already
};
/// Writes a drawing as a PNG, under a name that its ink decides: a run that read another drawing is not taken for this one's. Error:
/// file_unwritable.
device::Expected<KeptDrawing> keep_drawing(const std::filesystem::path& folder,
                                           const lab::Sketch& sketch);

/// Removes all drawings but the latest, since each sitting at the pad leaves one.
void forget_old_drawings(const std::filesystem::path& folder);

}  // namespace warpbook::gui
