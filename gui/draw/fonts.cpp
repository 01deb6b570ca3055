#include "gui/draw/fonts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <optional>

#include <ft2build.h>
#include FT_FREETYPE_H
#include <imgui_freetype.h>
#include <imgui_internal.h>

#include "device/platform.hpp"

namespace warpbook::gui {
namespace {
namespace fs = std::filesystem;

struct FontFile {
  std::string path;
  unsigned index = 0;  ///< of the face in a font collection
};

/// All font files below the folders, for looking names up.
class FontIndex {
 public:
  explicit FontIndex(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) scan(folder);
    if (const char* home = std::getenv("HOME")) scan(fs::path(home) / ".local/share/fonts");
    scan("/usr/local/share/fonts");
    scan("/usr/share/fonts");
  }
  [[nodiscard]] std::optional<std::string> find(
      std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const auto found =
          std::ranges::find_if(files_, [&](const fs::path& p) { return p.filename() == name; });
      if (found != files_.end()) return found->string();
    }
    return std::nullopt;
  }

 private:
  void scan(const fs::path& folder) {
    std::error_code ignored;
    for (fs::recursive_directory_iterator
             at(folder, fs::directory_options::skip_permission_denied, ignored),
         end;
         at != end; at.increment(ignored)) {
      if (ignored) break;
      const fs::path ending = at->path().extension();
      if (ending == ".ttf" || ending == ".ttc" || ending == ".otf") files_.push_back(at->path());
    }
  }
  std::vector<fs::path> files_;
};

/// ImGui's size is the height from ascender to descender. This is the factor from the em to that height.
float em_scale(const FontFile& file) {
  FT_Library library = nullptr;
  if (FT_Init_FreeType(&library) != 0) return 1;
  FT_Face face = nullptr;
  float scale = 1;
  if (FT_New_Face(library, file.path.c_str(), static_cast<FT_Long>(file.index), &face) == 0) {
    if (face->units_per_EM > 0) {
      scale = static_cast<float>(face->ascender - face->descender) /
              static_cast<float>(face->units_per_EM);
    }
    FT_Done_Face(face);
  }
  FT_Done_FreeType(library);
  return scale;
}

/// The index of the collection's face whose family name contains `family`; 0 if there is none.
unsigned face_named(const std::string& path, const char* family) {
  FT_Library library = nullptr;
  if (FT_Init_FreeType(&library) != 0) return 0;
  unsigned found = 0;
  FT_Long count = 1;
  for (FT_Long i = 0; i < count; ++i) {
    FT_Face face = nullptr;
    if (FT_New_Face(library, path.c_str(), i, &face) != 0) break;
    count = face->num_faces;
    const bool match = face->family_name && std::strstr(face->family_name, family);
    FT_Done_Face(face);
    if (match) {
      found = static_cast<unsigned>(i);
      break;
    }
  }
  FT_Done_FreeType(library);
  return found;
}

bool load_onto_pixels(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void* data) {
  if (!ImGuiFreeType::GetFontLoader()->FontBakedInit(atlas, source, baked, data)) return false;
  baked->Ascent = std::round(baked->Ascent * baked->RasterizerDensity) / baked->RasterizerDensity;
  return true;
}

/// FreeType's loader with a whole number of pixels from a text's top to its baseline. With the em as size, that would be a
/// fraction, and a text whose top is on a pixel would have its letters between pixels.
const ImFontLoader& loader() {
  static const ImFontLoader made = [] {
    ImFontLoader loader = *ImGuiFreeType::GetFontLoader();
    loader.FontBakedInit = load_onto_pixels;
    return loader;
  }();
  return made;
}

// Punctuation that Roboto also has, but narrow. In Chinese text it must be as wide as a character.
constexpr ImWchar kHanMarks[] = {0x2014, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x2026, 0};

struct FontSource {
  std::optional<FontFile> file;
  bool embolden = false;
  bool slant = false;
};

ImFont* add(const FontSource& latin, const FontSource& chinese, bool han_marks) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFont* font = nullptr;
  const auto put = [&](const FontSource& source, bool merge) {
    ImFontConfig config;
    config.MergeMode = merge;
    config.FontNo = source.file->index;
    config.ExtraSizeScale = em_scale(*source.file);
    config.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
    if (source.embolden) config.FontLoaderFlags |= ImGuiFreeTypeLoaderFlags_Bold;
    if (source.slant) config.FontLoaderFlags |= ImGuiFreeTypeLoaderFlags_Oblique;
    if (!merge && han_marks) config.GlyphExcludeRanges = kHanMarks;
    ImFont* added = atlas.AddFontFromFileTTF(source.file->path.c_str(), 16, &config);
    if (!merge) font = added;
  };
  if (latin.file) put(latin, false);
  if (!font) font = atlas.AddFontDefault();
  if (chinese.file) put(chinese, true);
  return font;
}
}  // namespace

std::vector<std::string> font_folders() {
  std::vector<std::string> folders;
  fs::path at = device::executable_path().parent_path();
  for (int up = 0; up < 3 && !at.empty(); ++up, at = at.parent_path()) {
    std::error_code ignored;
    if (fs::is_directory(at / "fonts", ignored)) folders.push_back((at / "fonts").string());
  }
  return folders;
}

void Fonts::load(const std::vector<std::string>& folders) {
  ImGui::GetIO().Fonts->SetFontLoader(&loader());
  formulae_ = std::make_unique<Formulae>(folders);
  const FontIndex index(folders);
  missing_.clear();
  const auto source = [&](std::initializer_list<std::string_view> names, const char* package) {
    FontSource found;
    if (auto path = index.find(names)) {
      if (package && fs::path(*path).filename() != *names.begin()) missing_.emplace_back(package);
      found.file = FontFile{*path, 0};
    } else if (package) {
      missing_.emplace_back(package);
    }
    return found;
  };
  const FontSource sans = source(
      {"Roboto-Regular.ttf", "DejaVuSans.ttf", "LiberationSans-Regular.ttf"}, "fonts-roboto");
  const FontSource bold =
      source({"Roboto-Bold.ttf", "DejaVuSans-Bold.ttf", "LiberationSans-Bold.ttf"}, nullptr);
  const FontSource mono =
      source({"JetBrainsMono-Regular.ttf", "DejaVuSansMono.ttf", "Inconsolata-Medium.ttf"},
             "fonts-jetbrains-mono");
  const FontSource mono_bold =
      source({"JetBrainsMono-Bold.ttf", "DejaVuSansMono-Bold.ttf"}, nullptr);

  FontSource chinese = source({"NotoSansCJK-Regular.ttc"}, nullptr);
  FontSource chinese_bold = source({"NotoSansCJK-Bold.ttc"}, nullptr);
  for (FontSource* noto : {&chinese, &chinese_bold}) {
    if (noto->file) noto->file->index = face_named(noto->file->path, "CJK SC");
  }
  if (!chinese.file) chinese = source({"wqy-microhei.ttc"}, "fonts-wqy-microhei");
  if (!chinese_bold.file) chinese_bold = {chinese.file, true, false};

  const FontSource& heavy = bold.file ? bold : sans;
  const FontSource& heavy_mono = mono_bold.file ? mono_bold : mono;
  for (const bool han : {false, true}) {
    faces_[han ? 1 : 0] = {
        add(sans, chinese, han), add(heavy, chinese_bold, han), add(mono, chinese, false),
        add(heavy_mono, chinese_bold, false),
        // Chinese is not slanted, so emphasis is bold.
        han ? add(heavy, chinese_bold, true) : add({sans.file, false, true}, chinese, false)};
  }
  ImGui::GetIO().FontDefault = faces_[0][0];
}

}  // namespace warpbook::gui
