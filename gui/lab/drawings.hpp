// Drawings of the reader's own as files: so a drawing is a picture like any other, for the window, the terminal and the next sitting.
#pragma once

#include <filesystem>

#include "lab/model/sketch.hpp"

namespace warpbook::gui {

/// In the state folder.
std::filesystem::path drawings_folder();

/// Writes a drawing as a PNG, under a name that its ink decides: a run that read another drawing is not taken for this one's. Error:
/// file_unwritable.
device::Expected<std::filesystem::path> keep_drawing(const std::filesystem::path& folder,
                                                     const lab::Sketch& sketch);

/// Removes all drawings but the latest, since each stroke leaves some.
void forget_old_drawings(const std::filesystem::path& folder);

}  // namespace warpbook::gui
