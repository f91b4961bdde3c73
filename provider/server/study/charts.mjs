// The parts of the library that a plot uses.
import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent, LegendComponent, TitleComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([LineChart, CustomChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

export { init };
