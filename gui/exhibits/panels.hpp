// The panel of each kind of exhibit: one line a kind, and its folder beside this file. A kind without a line does not compile.
//
// figure_of() draws a value in its area, or only measures it, and gives back the height that it takes. `id` is the
// exhibit's, by which the book keeps what the reader chose in it.
#pragma once

#include <string>

#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {

float figure_of(const FigureArea& area, const lab::AccessesExhibit& accesses,
                const std::string& id);
float figure_of(const FigureArea& area, const lab::AlgorithmsExhibit& algorithms,
                const std::string& id);
float figure_of(const FigureArea& area, const lab::BarsExhibit& bars, const std::string& id);
float figure_of(const FigureArea& area, const lab::BoundaryExhibit& boundary,
                const std::string& id);
float figure_of(const FigureArea& area, const lab::CheckExhibit& check, const std::string& id);
float figure_of(const FigureArea& area, const lab::ComparisonExhibit& comparison,
                const std::string& id);
float figure_of(const FigureArea& area, const lab::CurveExhibit& curve, const std::string& id);
float figure_of(const FigureArea& area, const lab::DevicesExhibit& devices, const std::string& id);
float figure_of(const FigureArea& area, const lab::GeometryExhibit& geometry,
                const std::string& id);
float figure_of(const FigureArea& area, const lab::GpuExhibit& gpu, const std::string& id);
float figure_of(const FigureArea& area, const lab::GraphExhibit& graph, const std::string& id);
float figure_of(const FigureArea& area, const lab::ImageExhibit& image, const std::string& id);
float figure_of(const FigureArea& area, const lab::LayersExhibit& layers, const std::string& id);
float figure_of(const FigureArea& area, const lab::LearningExhibit& learning,
                const std::string& id);
float figure_of(const FigureArea& area, const lab::MemoriesExhibit& memories,
                const std::string& id);
float figure_of(const FigureArea& area, const lab::IssueSlotsExhibit& slots, const std::string& id);
float figure_of(const FigureArea& area, const lab::ParetoExhibit& pareto, const std::string& id);
float figure_of(const FigureArea& area, const lab::PipelineExhibit& pipeline,
                const std::string& id);
float figure_of(const FigureArea& area, const lab::ProductExhibit& product, const std::string& id);
float figure_of(const FigureArea& area, const lab::RooflineExhibit& roofline,
                const std::string& id);
float figure_of(const FigureArea& area, const lab::SchedulesExhibit& schedules,
                const std::string& id);
float figure_of(const FigureArea& area, const lab::SectorsExhibit& sectors, const std::string& id);
/// The caption for the request that the reader has chosen in the figure; to be asked where the figure is drawn.
std::string sentence_shown(const Ui& ui, const lab::SectorsExhibit& sectors);
float figure_of(const FigureArea& area, const lab::SlidingWindowExhibit& window,
                const std::string& id);
float figure_of(const FigureArea& area, const lab::SourceExhibit& source, const std::string& id);
float figure_of(const FigureArea& area, const lab::SpacesExhibit& spaces, const std::string& id);
float figure_of(const FigureArea& area, const lab::StackExhibit& stack, const std::string& id);
float figure_of(const FigureArea& area, const lab::TensorExhibit& tensor, const std::string& id);
float figure_of(const FigureArea& area, const lab::TextExhibit& text, const std::string& id);
float figure_of(const FigureArea& area, const lab::TileExhibit& tile, const std::string& id);
float figure_of(const FigureArea& area, const lab::TimelineExhibit& timeline,
                const std::string& id);
float figure_of(const FigureArea& area, const lab::TimingsExhibit& timings, const std::string& id);
float figure_of(const FigureArea& area, const lab::TrailExhibit& trail, const std::string& id);
float figure_of(const FigureArea& area, const lab::TreeExhibit& tree, const std::string& id);
float figure_of(const FigureArea& area, const lab::WarpFilmExhibit& film, const std::string& id);

}  // namespace warpbook::gui
