#include "gui/draw/pictures.hpp"

#include <cstring>

#include <imgui_internal.h>

namespace warpbook::gui {
namespace {
/// Makes the current context forget the texture.
void strike(ImTextureData* texture) {
  ImGui::UnregisterUserTexture(texture);
  ImGui::GetPlatformIO().Textures.find_erase(texture);
}
}  // namespace

Pictures::~Pictures() {
  if (!ImGui::GetCurrentContext())
    return;  // the context was destroyed first, and its lists with it
  for (const Picture& picture : all_) strike(picture.get());
}

void Pictures::next_frame() {
  std::erase_if(all_, [](const Picture& picture) {
    if (picture.use_count() > 1) return false;
    // The renderer destroys a texture one frame after the last one that drew it.
    picture->WantDestroyNextFrame = true;
    if (picture->Status != ImTextureStatus_Destroyed) return false;
    strike(picture.get());
    return true;
  });
}

Pictures::Picture Pictures::make(std::span<const Colour> pixels, int width) {
  auto made = std::make_shared<ImTextureData>();
  made->Create(ImTextureFormat_RGBA32, width, static_cast<int>(pixels.size()) / width);
  made->UseColors = true;
  std::memcpy(made->Pixels, pixels.data(), pixels.size_bytes());
  ImGui::RegisterUserTexture(made.get());
  return all_.emplace_back(std::move(made));
}

void Pictures::draw(ImDrawList* list, const Picture& picture, std::span<const Part> parts) {
  const ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  const ImVec2 whole{static_cast<float>(picture->Width), static_cast<float>(picture->Height)};
  // A renderer without these callbacks does not draw to a screen.
  if (platform.DrawCallback_SetSamplerNearest)
    list->AddCallback(platform.DrawCallback_SetSamplerNearest);
  for (const Part& part : parts) {
    const auto at = [&](int x, int y) {
      return ImVec2{static_cast<float>(x) / whole.x, static_cast<float>(y) / whole.y};
    };
    list->AddImage(picture->GetTexRef(), part.min, part.max, at(part.x, part.y),
                   at(part.x + part.width, part.y + part.height));
  }
  if (platform.DrawCallback_SetSamplerLinear)
    list->AddCallback(platform.DrawCallback_SetSamplerLinear);
}

}  // namespace warpbook::gui
